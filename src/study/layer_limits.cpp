#include "study/layer_limits.hpp"

#include <map>
#include <utility>

namespace mansard {
namespace {

constexpr Int largest_value = Int{1} << 40;

/// Whether one condition holds in a cache of `room` bytes, for any value of the parameter.
class Holds {
 public:
  Holds(const ConditionsAt& at, std::size_t conditions) : at_(at), conditions_(conditions) {}

  /// Absent where the nest has no such condition with this value.
  std::optional<bool> operator()(Int value, std::size_t condition, Bytes room) {
    if (!known_.contains(value)) known_[value] = at_(value);
    const auto& found = known_[value];
    if (!found || found->size() != conditions_) return std::nullopt;
    return (*found)[condition].needed <= room;
  }

 private:
  const ConditionsAt& at_;
  std::size_t conditions_;
  std::map<Int, std::optional<std::vector<LayerCondition>>> known_;
};

struct Limit {
  bool found = false;
  std::optional<Int> largest;
};

/// Doubles or halves until the answer changes, then bisects.
Limit limit(Holds& holds, std::size_t condition, Bytes room, Int value) {
  Int yes = value, no = value;
  while (holds(no, condition, room).value_or(false)) {
    yes = no, no *= 2;
    if (no > largest_value || !holds(no, condition, room)) return {};
  }
  while (yes >= no) {  // it does not hold for `value` itself
    yes /= 2;
    const auto answer = yes < 1 ? std::nullopt : holds(yes, condition, room);
    if (!answer) return {true, std::nullopt};
    if (*answer) break;
    no = yes;
  }
  while (no - yes > 1) {
    const Int middle = yes + (no - yes) / 2;
    (holds(middle, condition, room).value_or(false) ? yes : no) = middle;
  }
  return {true, yes};
}

}  // namespace

void add_layer_limits(LayerSummary& layers, const Machine& machine, const std::string& parameter, Int value,
                      const ConditionsAt& at) {
  const std::vector<Bytes> room = reachable(machine);
  Holds holds(at, layers.conditions.size());
  for (std::size_t k = 0; k < layers.conditions.size(); ++k) {
    for (std::size_t c = 0; c < room.size(); ++c) {
      const Limit found = limit(holds, k, room[c], value);
      if (found.found) layers.conditions[k].limits[c].push_back({parameter, found.largest});
    }
  }
}

}  // namespace mansard
