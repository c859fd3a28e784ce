// What the hierarchy sees: the loop tree after placement and the register rules, in byte addresses. `Walker`
// (stream/walker.hpp) alone knows the order in which it runs; it hands out batches.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "stream/kept_scalars.hpp"
#include "stream/store_paths.hpp"
#include "workload/kernel.hpp"
#include "workload/quasi.hpp"
#include "workload/recurrence.hpp"

namespace mansard {

enum class Kind : std::uint8_t { load, store, nontemporal };

/// One access of one element.
struct Element {
  std::uint64_t address;  ///< in bytes, >= 0
  std::uint16_t array;
  std::uint8_t bytes;  ///< 1 … 64
  Kind kind;
  friend bool operator==(const Element&, const Element&) = default;
};

/// An access of the nest: its address as a function of the slots.
struct StreamRef {
  Quasi address;  ///< in bytes
  std::uint16_t array;
  std::uint8_t bytes;
  Kind kind;
};

/// `count` iterations of an innermost affine loop: iteration n accesses, for each r in order, base[r] + n*stride[r].
struct Run {
  std::span<const StreamRef> refs;  ///< array, bytes and kind of each reference
  std::span<const Int> base, stride;
  std::uint64_t count;
};

/// `count` iterations of an innermost loop with index reads: as Run, but iteration n of reference r accesses
/// base[r] + n*stride[r] + index[r].scale * index[r].at[n * index[r].step].
/// Where the loop goes on in the next iteration of the loop around it, as the rows of a sparse matrix do, both are one
/// batch: `between` are the elements accessed in between and after.
struct Gather {
  struct Index {
    const std::int32_t* at;  ///< never null: what is not gathered has a scale and a step of 0
    Int step, scale;
  };
  struct Break {
    std::uint64_t before;  ///< this iteration come …
    std::size_t end;       ///< … the elements up to this one
  };
  std::span<const StreamRef> refs;
  std::span<const Int> base, stride;
  std::span<const Index> index;
  std::uint64_t count;
  std::span<const Break> breaks = {};
  std::span<const Element> between = {};  ///< those after the last break come after the last iteration

  [[nodiscard]] Int address(std::size_t r, std::uint64_t n) const {
    const auto i = static_cast<Int>(n);
    return base[r] + i * stride[r] + index[r].scale * index[r].at[i * index[r].step];
  }
  /// Its parts in program order: calls on_iterations(from, to) and on_elements(span), neither with nothing in it.
  template <class OnIterations, class OnElements>
  void visit_parts(const OnIterations& on_iterations, const OnElements& on_elements) const {
    std::uint64_t from = 0;
    std::size_t element = 0;
    for (const Break& b : breaks) {
      if (from < b.before) on_iterations(from, b.before);
      if (element < b.end) on_elements(between.subspan(element, b.end - element));
      from = b.before;
      element = b.end;
    }
    if (from < count) on_iterations(from, count);
    if (element < between.size()) on_elements(between.subspan(element));
  }
};

/// An affine run, a gathering one, or elements one by one (other index reads, foreign streams). The order inside and
/// between batches is program order.
using Batch = std::variant<Run, Gather, std::span<const Element>>;

/// Calls on_reference(ref, address) for every access of the batch's runs and on_element(element) for those that come
/// one by one, in program order.
template <class OnReference, class OnElement>
void visit_accesses(const Batch& batch, const OnReference& on_reference, const OnElement& on_element) {
  const auto one_by_one = [&](std::span<const Element> elements) {
    for (const Element& e : elements) on_element(e);
  };
  const auto run = [&](std::span<const StreamRef> refs, std::uint64_t from, std::uint64_t to, const auto& address) {
    for (std::uint64_t n = from; n < to; ++n) {
      for (std::size_t r = 0; r < refs.size(); ++r) on_reference(refs[r], address(r, n));
    }
  };
  if (const auto* affine = std::get_if<Run>(&batch)) {
    run(affine->refs, 0, affine->count,
        [&](std::size_t r, std::uint64_t n) { return affine->base[r] + static_cast<Int>(n) * affine->stride[r]; });
  } else if (const auto* gather = std::get_if<Gather>(&batch)) {
    const auto address = [&](std::size_t r, std::uint64_t n) { return gather->address(r, n); };
    gather->visit_parts([&](std::uint64_t from, std::uint64_t to) { run(gather->refs, from, to, address); },
                        one_by_one);
  } else {
    one_by_one(std::get<std::span<const Element>>(batch));
  }
}

/// Calls visitor(element) for every access of the batch, in program order.
template <class Visitor>
void visit_elements(const Batch& batch, const Visitor& visitor) {
  visit_accesses(
      batch,
      [&](const StreamRef& ref, Int address) {
        visitor(Element{static_cast<std::uint64_t>(address), ref.array, ref.bytes, ref.kind});
      },
      visitor);
}

/// A table read into a slot, or a value computed into it: environment[slot] = table ? tables[table][at] : at.
struct StreamDefine {
  Slot slot;
  std::optional<std::uint16_t> table;
  Quasi at;  ///< flat element index
};

/// What one execution of a body is worth.
struct BodyWork {
  std::uint32_t updates = 0;
  FlopCount flops;                ///< as written
  FlopCount contracted;           ///< as compiled for a core with FMA units
  Recurrence recurrence;          ///< of the innermost loop whose first body this is; else none
  std::vector<StorePath> paths;   ///< likewise
  KeptScalars kept;               ///< likewise
  std::optional<Slot> innermost;  ///< slot of the innermost loop around the body, if the body is directly in one
  Simd simd = Simd::automatic;    ///< of that loop
};

/// Straight-line accesses after the register rules. First the defines are evaluated, then the refs are accessed.
struct Body {
  std::uint32_t id = 0;  ///< index for execution counts
  std::vector<StreamDefine> defines;
  std::vector<StreamRef> refs;
  BodyWork work;
};

struct StreamNode;

/// As Loop of the kernel. An innermost loop starts with a Body (perhaps without refs), which carries its recurrence and
/// paths. `before` and `after` (hoisted loads and stores) run once per entry with at least one iteration.
struct StreamLoop {
  Slot slot = 0;
  std::vector<Quasi> lower, upper;  ///< max and min, both inclusive
  Int step = 1;
  std::vector<StreamNode> before, body, after;
  bool parallel = false;         ///< shared among cores (stream/cores.hpp)
  Int chunk = 0;                 ///< of a shared loop: iterations dealt out at a time, in turn; 0: one block a core
  GpuRole role = GpuRole::none;  ///< on a GPU (stream/gpu/); nothing is hoisted out of these
  std::uint8_t axis = 0;         ///< of blocks and threads: 0 x, 1 y, 2 z
  std::shared_ptr<const GpuMapping> launch = nullptr;  ///< the outermost loop of a launch has it
};

/// A data-dependent branch with a declared ratio: taken iff hash(seed, site, values of `over`) falls below the ratio.
struct Chance {
  double ratio;
  std::uint32_t site;
  bool negated;
  std::vector<Slot> over;  ///< enclosing loop slots, outermost first
};

struct StreamGuard {
  std::vector<Conjunction> any_of;
  std::optional<Chance> chance;
  std::vector<StreamNode> body;
};

struct StreamNode {
  std::variant<Body, StreamLoop, StreamGuard> is;
};

/// Where an array lies: [start, start + bytes).
struct Region {
  std::string name;
  std::uint64_t start, bytes;
  bool shared = false;  ///< in a GPU's shared memory: of each block
};

struct Nest {
  std::string name;  ///< labels of its statements: "S1", "S1-S3"
  std::vector<StreamNode> nodes;
};

struct Program {
  std::vector<Nest> nests;
  std::vector<Region> regions;  ///< per array, ascending by start; index = Element::array
  std::vector<IndexData> tables;
  std::size_t slots = 0;
  std::size_t bodies = 0;  ///< Body::id < bodies
  std::uint64_t seed = 1;  ///< of Chance
};

/// Calls visitor(const Body&) for every body below `nodes`, hoisted ones included, in program order.
template <class Visitor>
void visit_bodies(std::span<const StreamNode> nodes, Visitor&& visitor) {
  for (const StreamNode& node : nodes) {
    if (const auto* body = std::get_if<Body>(&node.is)) visitor(*body);
    if (const auto* guard = std::get_if<StreamGuard>(&node.is)) visit_bodies(guard->body, visitor);
    if (const auto* loop = std::get_if<StreamLoop>(&node.is)) {
      visit_bodies(loop->before, visitor);
      visit_bodies(loop->body, visitor);
      visit_bodies(loop->after, visitor);
    }
  }
}

inline bool stores_nontemporally(const Program& program) {
  bool found = false;
  for (const Nest& nest : program.nests) {
    visit_bodies(nest.nodes, [&](const Body& body) {
      for (const StreamRef& ref : body.refs) found = found || ref.kind == Kind::nontemporal;
    });
  }
  return found;
}

}  // namespace mansard
