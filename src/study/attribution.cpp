#include "study/attribution.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "stream/estimate.hpp"
#include "stream/walker.hpp"
#include "workload/print.hpp"

namespace mansard {
namespace {

constexpr double most_accesses = 30e6;  // some seconds

/// Takes the whole multiples of `stride` out of an expression; what is left is less than half of it.
Quasi taken_out(Quasi& rest, Int stride) {
  const auto share = [stride](Int value) { return floor_div(value + (stride - 1) / 2, stride); };
  Quasi taken(share(rest.constant));
  for (const Term& t : rest.terms) {
    if (share(t.coefficient) != 0) taken += Quasi::of_slot(t.slot) * share(t.coefficient);
  }
  for (const Floor& f : rest.floors) {
    if (share(f.coefficient) != 0) taken += floor_div(f.inner, f.divisor) * share(f.coefficient);
  }
  rest = rest - taken * stride;
  return taken;
}

bool prints(const Quasi& q, const Kernel& kernel) {
  return std::ranges::all_of(q.terms, [&](const Term& t) { return t.slot < kernel.slots.size(); }) &&
         std::ranges::all_of(q.floors, [&](const Floor& f) { return prints(f.inner, kernel); });
}

class Attributor {
 public:
  Attributor(const Kernel& kernel, const Program& program, const Geometry& geometry)
      : kernel_(kernel),
        program_(program),
        hierarchy_(make_naive(geometry, program.regions)),
        boundaries_(geometry.levels.size()) {}

  std::vector<ReferenceFills> run(bool cold) {
    for (const bool measured : {false, true}) {
      if (cold && !measured) continue;
      Walker walker(program_);
      for (const Nest& nest : program_.nests) {
        nest_ = nest.name;
        if (!measured) walker.walk(nest, [this](const Batch& batch) { hierarchy_->consume(batch); });
        if (measured) walker.walk(nest, [this](const Batch& batch) { attribute(batch); });
      }
    }
    return std::move(found_);
  }

 private:
  void attribute(const Batch& batch) {
    visit_accesses(
        batch, [this](const StreamRef& ref, Int address) { access(ref, address); },
        [this](const Element& e) { access(e, entry(kernel_.arrays[e.array].name, e.kind)); });
  }

  void access(const StreamRef& ref, Int address) {
    const auto known = entries_.find(&ref);
    const std::size_t to =
        known != entries_.end()
            ? known->second
            : entries_.emplace(&ref, entry(reference_text(kernel_, program_, ref), ref.kind)).first->second;
    access({static_cast<std::uint64_t>(address), ref.array, ref.bytes, ref.kind}, to);
  }

  void access(const Element& element, std::size_t to) {
    const auto fills = [&](std::size_t b) {
      const Flow& flow = hierarchy_->counters().flows[b + 1][element.array];
      return flow.demand_fills + flow.write_allocate;
    };
    before_.resize(boundaries_);
    for (std::size_t b = 0; b < boundaries_; ++b) before_[b] = fills(b);
    hierarchy_->consume(std::span<const Element>(&element, 1));
    for (std::size_t b = 0; b < boundaries_; ++b) found_[to].bytes[b] += fills(b) - before_[b];
  }

  /// References that print alike are one.
  std::size_t entry(const std::string& name, Kind kind) {
    const std::string what = kind == Kind::load ? "load" : "store";
    const auto same = std::ranges::find_if(
        found_, [&](const ReferenceFills& f) { return f.nest == nest_ && f.name == name && f.kind == what; });
    if (same != found_.end()) return static_cast<std::size_t>(same - found_.begin());
    found_.push_back({nest_, name, what, std::vector<std::uint64_t>(boundaries_)});
    return found_.size() - 1;
  }

  const Kernel& kernel_;
  const Program& program_;
  std::unique_ptr<Hierarchy> hierarchy_;
  std::size_t boundaries_;
  std::string nest_;
  std::map<const StreamRef*, std::size_t> entries_;
  std::vector<std::uint64_t> before_;
  std::vector<ReferenceFills> found_;
};

}  // namespace

std::string reference_text(const Kernel& kernel, const Program& program, const StreamRef& ref) {
  const Array& array = kernel.arrays[ref.array];
  const std::vector<Int> steps = strides(array);
  std::vector<std::size_t> slowest_first(steps.size());
  std::iota(slowest_first.begin(), slowest_first.end(), std::size_t{0});
  std::ranges::sort(slowest_first, {}, [&](std::size_t d) { return std::pair{-steps[d], d}; });
  Quasi rest = ref.address - Quasi(static_cast<Int>(program.regions[ref.array].start));
  std::vector<Quasi> subscripts(steps.size());
  for (const std::size_t d : slowest_first) subscripts[d] = taken_out(rest, steps[d] * ref.bytes);
  std::string text = array.name;
  for (const Quasi& q : subscripts) text += "[" + (prints(q, kernel) ? to_string(q, kernel) : "…") + "]";
  return text;
}

std::optional<std::vector<ReferenceFills>> fills_by_reference(const Kernel& kernel, const Program& program,
                                                              const Geometry& geometry, bool cold) {
  if (estimate_accesses(program) > most_accesses) return std::nullopt;
  return Attributor(kernel, program, geometry).run(cold);
}

}  // namespace mansard
