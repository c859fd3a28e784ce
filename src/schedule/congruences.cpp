#include "schedule/congruences.hpp"

#include <map>
#include <optional>
#include <utility>

namespace mansard {
namespace {

class Decider {
 public:
  std::vector<Node> nodes(const std::vector<Node>& list) {
    std::vector<Node> result;
    for (const Node& node : list) {
      Node copy = node;
      if (auto* loop = std::get_if<Loop>(&copy.is)) {
        learn(*loop);
        loop->body = nodes(loop->body);
        known_.erase(loop->slot);
      }
      auto* guard = std::get_if<Guard>(&copy.is);
      if (guard == nullptr) {
        result.push_back(std::move(copy));
        continue;
      }
      const std::optional<bool> holds = decided(*guard);
      if (holds && !*holds) continue;
      guard->body = nodes(guard->body);
      if (!holds) {
        result.push_back(std::move(copy));
      } else {
        for (Node& inner : guard->body) result.push_back(std::move(inner));
      }
    }
    return result;
  }

 private:
  /// A slot is its residue modulo so much; modulo 0: equal to it.
  struct Residue {
    Int modulus, value;
  };

  void learn(const Loop& loop) {
    if (loop.step < 1 || !loop.reads.empty()) return;
    if (loop.lower.size() == 1 && loop.lower == loop.upper && loop.lower.front().is_constant()) {
      known_[loop.slot] = {0, loop.lower.front().constant};
      return;
    }
    const std::optional<Int> start = residue(loop.lower.front(), loop.step);
    if (!start) return;
    for (const Quasi& other : loop.lower) {
      if (residue(other, loop.step) != start) return;
    }
    known_[loop.slot] = {loop.step, *start};
  }

  [[nodiscard]] std::optional<Int> residue(const Quasi& q, Int modulus) const {
    Int sum = q.constant;
    for (const Floor& f : q.floors) {
      if (f.coefficient % modulus != 0) return std::nullopt;
    }
    for (const Term& t : q.terms) {
      if (t.coefficient % modulus == 0) continue;
      const auto slot = known_.find(t.slot);
      if (slot == known_.end() || t.coefficient * slot->second.modulus % modulus != 0) return std::nullopt;
      sum += t.coefficient * slot->second.value;
    }
    return (sum % modulus + modulus) % modulus;
  }

  [[nodiscard]] std::optional<bool> decided(const Guard& guard) const {
    const bool single = guard.any_of.size() == 1 && guard.any_of.front().size() == 1;
    if (!single || guard.ratio || !guard.reads.empty() || !guard.data.empty()) return std::nullopt;
    const Quasi& q = guard.any_of.front().front();
    if (q.is_constant()) return q.constant >= 0;
    for (const Floor& f : q.floors) {
      if (!(q == modulo(f.inner, f.divisor) * -1)) continue;  // else: "f.inner is a multiple of f.divisor"
      const std::optional<Int> rest = residue(f.inner, f.divisor);
      if (rest) return *rest == 0;
    }
    return std::nullopt;
  }

  std::map<Slot, Residue> known_;
};

}  // namespace

std::vector<Node> without_decided_conditions(const std::vector<Node>& nodes) { return Decider().nodes(nodes); }

}  // namespace mansard
