#include "stream/estimate.hpp"

#include <algorithm>

#include "stream/shape.hpp"

namespace mansard {
namespace {

class Estimate {
 public:
  /// With `shapes`, of the look-ups that an engine needs which fast-forwards over what repeats.
  Estimate(const Program& program, ShapeFinder* shapes)
      : program_(program), shapes_(shapes), environment_(program.slots) {}

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
    // A body without accesses still takes the time of walking to it.
    return static_cast<double>(shapes_ == nullptr ? body.refs.size() : std::max<std::size_t>(1, body.refs.size()));
  }

  double of(const StreamGuard& guard) { return of(guard.body) * (guard.chance ? guard.chance->ratio : 1.0); }

  /// Iterations of the loop that have to be looked at.
  double trips_of(const StreamLoop& loop, Int low, Int high) {
    const auto count = static_cast<std::uint64_t>((high - low) / std::max(loop.step, -loop.step)) + 1;
    if (shapes_ == nullptr) return static_cast<double>(count);
    const bool innermost = loop.body.size() == 1 && std::holds_alternative<Body>(loop.body.front().is);
    if (innermost) return static_cast<double>(count) * touched_share(std::get<Body>(loop.body.front().is));
    double trips = 0;
    for (const Stretch& s : shapes_->stretches(loop, loop.step > 0 ? low : high, count, environment_)) {
      constexpr std::uint64_t until_proven = 40;  // periods; what it takes to fill the caches, more or less
      const std::uint64_t length = s.to - s.from;
      trips += static_cast<double>(s.period == 0 ? length : std::min(length, until_proven * s.period));
    }
    return trips;
  }
  /// A reduced run makes about one or two of the eight accesses to a line of doubles; gathers make all.
  static double touched_share(const Body& body) { return body.defines.empty() ? 0.25 : 1.0; }

  double of(const StreamLoop& loop) {
    const auto value = [this](const Quasi& q) { return q.at(environment_); };
    const Int low = std::ranges::max(loop.lower, {}, value).at(environment_);
    const Int high = std::ranges::min(loop.upper, {}, value).at(environment_);
    if (low > high) return 0;
    const double trips = trips_of(loop, low, high);
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
  ShapeFinder* shapes_;
  std::vector<Int> environment_;
  int depth_ = 0;
};

}  // namespace

namespace {

double total(const Program& program, ShapeFinder* shapes) {
  Estimate estimate(program, shapes);
  double sum = 0;
  for (const Nest& nest : program.nests) sum += estimate.of(nest.nodes);
  return sum;
}

}  // namespace

double estimate_accesses(const Program& program) { return total(program, nullptr); }

double estimate_lookups(const Program& program, std::uint32_t line_bytes) {
  ShapeFinder shapes(line_bytes);
  return total(program, &shapes);
}

}  // namespace mansard
