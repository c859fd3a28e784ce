#include "model/instructions.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "model/register_pressure.hpp"
#include "model/superwords.hpp"
#include "stream/work.hpp"

namespace mansard {
namespace {

/// An innermost loop as the vectoriser sees it.
struct InnerLoop {
  Slot slot;
  Int step;
  std::set<Slot> varying;  ///< slots read from tables in the loop: addresses that use them are gathers
  Recurrence recurrence;
  [[nodiscard]] bool vectorises() const { return !recurrence.exists() || recurrence.reassociable; }
};

bool contains_loop(const std::vector<StreamNode>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const StreamNode& node) {
    const auto* guard = std::get_if<StreamGuard>(&node.is);
    return std::holds_alternative<StreamLoop>(node.is) || (guard && contains_loop(guard->body));
  });
}

InnerLoop inner_loop(const StreamLoop& loop) {
  InnerLoop inner{loop.slot, loop.step, {}, {}};
  visit_bodies(loop.body, [&](const Body& body) {
    for (const StreamDefine& define : body.defines) inner.varying.insert(define.slot);
    if (body.work.recurrence.exists()) inner.recurrence = body.work.recurrence;
  });
  return inner;
}

bool contiguous(const StreamRef& ref, const InnerLoop& loop) {
  for (const Slot slot : loop.varying) {
    if (ref.address.uses(slot)) return false;
  }
  for (const Floor& floor : ref.address.floors) {
    if (floor.inner.uses(loop.slot)) return false;
  }
  return std::abs(ref.address.coefficient(loop.slot) * loop.step) == ref.bytes;
}

/// Elements in a SIMD register when the body's widest element decides.
double lanes_of(const Body& body, std::uint32_t simd_bytes) {
  std::uint32_t widest = 0;
  for (const StreamRef& ref : body.refs) widest = std::max<std::uint32_t>(widest, ref.bytes);
  return std::max(1.0, static_cast<double>(simd_bytes) / (widest == 0 ? 8 : widest));
}

void add_arithmetic(Instructions& to, const FlopCount& flops, bool has_fma, double times) {
  const double separate = has_fma ? 0 : flops.fma;  // without FMA units, fma() is a product and a sum
  to.add += times * (flops.add + separate);
  to.mul += times * (flops.mul + separate);
  to.fma += times * (has_fma ? flops.fma : 0);
  to.div += times * flops.div;
  to.sqrt += times * flops.sqrt;
  to.call += times * flops.call;
}

class Counting {
 public:
  Counting(const Machine& machine, std::span<const std::uint64_t> executions)
      : machine_(machine), executions_(executions) {}

  void visit(const std::vector<StreamNode>& nodes, const InnerLoop* around) {
    for (const StreamNode& node : nodes) {
      if (const auto* body = std::get_if<Body>(&node.is)) count(*body, around);
      if (const auto* guard = std::get_if<StreamGuard>(&node.is)) visit(guard->body, around);
      if (const auto* loop = std::get_if<StreamLoop>(&node.is)) {
        visit(loop->before, nullptr);
        if (contains_loop(loop->body)) {
          visit(loop->body, nullptr);
        } else {
          const InnerLoop inner = inner_loop(*loop);
          visit(loop->body, &inner);
          spill(*loop, inner);
        }
        visit(loop->after, nullptr);
      }
    }
  }
  [[nodiscard]] const InstructionCount& total() const { return total_; }

 private:
  void count(const Body& body, const InnerLoop* around) {
    const auto times = static_cast<double>(executions_[body.id]);
    const bool told = body.work.simd == Simd::vector;
    const bool simd = around && in_simd(body, *around);
    const double lanes = lanes_of(body, machine_.core.simd);
    const double share = simd ? times / lanes : times;
    const std::set<const StreamRef*> copies =
        simd && told ? superwords(body.refs, lanes) : std::set<const StreamRef*>{};
    for (const StreamRef& ref : body.refs) {
      const bool wide = simd && (contiguous(ref, *around) || copies.contains(&ref));
      Instructions& to = wide ? total_.simd : total_.scalar;
      (ref.kind == Kind::load ? to.loads : to.stores) += wide ? share : times;
    }
    if (simd && !body.work.paths.empty()) total_.vector_loops.push_back({share, &body.work.paths});
    const bool has_fma = machine_.core.per_cycle.fma.has_value();
    add_arithmetic(simd ? total_.simd : total_.scalar, has_fma ? body.work.contracted : body.work.flops, has_fma,
                   share);
    if (body.work.recurrence.exists() && !body.work.recurrence.reassociable) {
      total_.chains.push_back({times, body.work.recurrence});
    }
  }

  static bool in_simd(const Body& body, const InnerLoop& loop) {
    if (body.work.innermost != loop.slot || body.work.simd == Simd::scalar) return false;
    return body.work.simd == Simd::vector || loop.vectorises();
  }

  /// Constants and accumulators for which there are no registers, in every iteration of registers full.
  void spill(const StreamLoop& loop, const InnerLoop& inner) {
    const auto* first = std::get_if<Body>(&loop.body.front().is);
    if (!first || !machine_.core.registers) return;
    const bool simd = in_simd(*first, inner);
    const double lanes = simd ? lanes_of(*first, machine_.core.simd) : 1;
    const bool across = first->work.simd == Simd::vector && !superwords(first->refs, lanes).empty();
    const Spills each = spills_of(machine_.core, loop, first->work, lanes, across);
    const auto times = static_cast<double>(executions_[first->id]) / (across ? 1 : lanes);
    Instructions& to = simd ? total_.simd : total_.scalar;
    to.loads += each.loads * times;
    to.stores += each.stores * times;
  }

  const Machine& machine_;
  std::span<const std::uint64_t> executions_;
  InstructionCount total_;
};

}  // namespace

InstructionCount count_instructions(const Machine& machine, const Nest& nest,
                                    std::span<const std::uint64_t> executions) {
  Counting counting(machine, executions);
  counting.visit(nest.nodes, nullptr);
  return counting.total();
}

std::uint32_t results_per_line(const Machine& machine, const Nest& nest, std::span<const std::uint64_t> executions) {
  struct Moved {
    double bytes = 0;
    std::uint32_t element = 8;
  };
  std::map<std::uint16_t, Moved> stored, loaded;  // by array
  visit_bodies(nest.nodes, [&](const Body& body) {
    for (const StreamRef& ref : body.refs) {
      Moved& moved = (ref.kind == Kind::load ? loaded : stored)[ref.array];
      moved.bytes += static_cast<double>(executions[body.id]) * ref.bytes;
      moved.element = ref.bytes;
    }
  });
  Moved most;
  for (const auto& [array, moved] : stored.empty() ? loaded : stored) {
    if (moved.bytes > most.bytes) most = moved;
  }
  const std::uint32_t line = machine.caches.empty() ? 64 : machine.caches.front().line;
  return std::max<std::uint32_t>(1, line / most.element);
}

}  // namespace mansard
