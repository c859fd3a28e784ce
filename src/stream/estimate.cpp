#include "stream/estimate.hpp"

#include <algorithm>

namespace mansard {
namespace {

class Estimate {
 public:
  explicit Estimate(const Program& program) : program_(program), environment_(program.slots) {}

  double of(const std::vector<StreamNode>& nodes) {
    double total = 0;
    for (const StreamNode& node : nodes) total += std::visit([this](const auto& n) { return of(n); }, node.is);
    return total;
  }

 private:
  double of(const Body& body) {
    for (const StreamDefine& d : body.defines) {
      Int value = d.at.at(environment_);
      if (d.table) {
        const auto& table = *program_.tables[*d.table];
        const bool inside = value >= 0 && static_cast<std::size_t>(value) < table.size();
        value = inside ? table[static_cast<std::size_t>(value)] : 0;
      }
      environment_[d.slot] = value;
    }
    return static_cast<double>(body.refs.size());
  }

  double of(const StreamGuard& guard) { return of(guard.body) * (guard.chance ? guard.chance->ratio : 1.0); }

  double of(const StreamLoop& loop) {
    const auto value = [this](const Quasi& q) { return q.at(environment_); };
    const Int low = std::ranges::max(loop.lower, {}, value).at(environment_);
    const Int high = std::ranges::min(loop.upper, {}, value).at(environment_);
    if (low > high) return 0;
    const double trips = static_cast<double>((high - low) / std::max(loop.step, -loop.step)) + 1;
    const auto at = [&](Int slot_value) {
      environment_[loop.slot] = slot_value;
      return of(loop.body);
    };
    constexpr int most_sampled = 6;  // nested sampled loops: 3^6 visits at most
    double mean = 0;
    if (++depth_ > most_sampled || high - low < 2) {
      mean = at(low + (high - low) / 2);
    } else {
      mean = (at(low) + 4 * at(low + (high - low) / 2) + at(high)) / 6;
    }
    --depth_;
    return trips * mean + of(loop.before) + of(loop.after);
  }

  const Program& program_;
  std::vector<Int> environment_;
  int depth_ = 0;
};

}  // namespace

double estimate_accesses(const Program& program) {
  Estimate estimate(program);
  double total = 0;
  for (const Nest& nest : program.nests) total += estimate.of(nest.nodes);
  return total;
}

}  // namespace mansard
