// The accesses of a program, found without a walker: loops, bounds and addresses one by one, as program.hpp defines
// them.
#pragma once

#include <algorithm>
#include <vector>

#include "stream/walker.hpp"

namespace mansard {

class ProgramInterpreter {
 public:
  explicit ProgramInterpreter(const Program& program) : program_(program), slots_(program.slots) {}

  std::vector<Element> run() {
    for (const Nest& nest : program_.nests) nodes(nest.nodes);
    return std::move(elements_);
  }

 private:
  void nodes(const std::vector<StreamNode>& list) {
    for (const StreamNode& n : list) std::visit([this](const auto& node) { one(node); }, n.is);
  }
  void one(const Body& body) {
    for (const StreamDefine& d : body.defines) {
      const Int at = d.at.at(slots_);
      slots_[d.slot] = d.table ? program_.tables[*d.table]->at(static_cast<std::size_t>(at)) : at;
    }
    for (const StreamRef& r : body.refs)
      elements_.push_back({static_cast<std::uint64_t>(r.address.at(slots_)), r.array, r.bytes, r.kind});
  }
  void one(const StreamLoop& loop) {
    const auto value = [this](const Quasi& q) { return q.at(slots_); };
    const Int low = value(*std::ranges::max_element(loop.lower, {}, value));
    const Int high = value(*std::ranges::min_element(loop.upper, {}, value));
    if (low > high) return;
    nodes(loop.before);
    for (Int v = loop.step > 0 ? low : high; low <= v && v <= high; v += loop.step) {
      slots_[loop.slot] = v;
      nodes(loop.body);
    }
    nodes(loop.after);
  }
  void one(const StreamGuard& guard) {
    const auto holds = [this](const Conjunction& all) {
      return std::ranges::all_of(all, [this](const Quasi& q) { return q.at(slots_) >= 0; });
    };
    const bool enters =
        guard.chance ? taken(*guard.chance, slots_, program_.seed) : std::ranges::any_of(guard.any_of, holds);
    if (enters) nodes(guard.body);
  }

  const Program& program_;
  std::vector<Int> slots_;
  std::vector<Element> elements_;
};

}  // namespace mansard
