#include "model/layer_condition.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace mansard {
namespace {

double room(const NestReuse& nest, double reuse) {
  double bytes = 0;
  for (const Walk& walk : nest.walks) {
    if (walk.nontemporal) continue;
    for (const double gap : walk.gaps) bytes += walk.stride * std::min(gap, reuse);
  }
  return bytes;
}

/// The longest reuse distance that a cache bridges; 0 if none.
double bridged(const NestReuse& nest, Bytes capacity) {
  double longest = 0;
  for (const LayerCondition& condition : layer_conditions(nest)) {
    if (condition.needed <= capacity) longest = condition.reuse;
  }
  return longest;
}

/// The touches of a walk fall into stays in the cache, each ended by a gap that is too long. Touch 0 follows the last.
LayerTraffic traffic_of(const Walk& walk, double reach) {
  LayerTraffic traffic;
  if (walk.nontemporal) {
    traffic.nontemporal = walk.stride * static_cast<double>(walk.touches.size());
    return traffic;
  }
  bool stored = false;
  for (const bool counts : {false, true}) {  // the first round finds what is dirty when the walk returns
    for (std::size_t n = 0; n < walk.touches.size(); ++n) {
      stored = stored || walk.touches[n].stores;
      if (walk.gaps[n] <= reach) continue;
      if (counts) traffic.in += walk.stride;
      if (counts && stored) traffic.out += walk.stride;
      stored = false;
    }
  }
  return traffic;
}

bool ordinary(const CacheLevel& cache) { return cache.allocate && cache.write_back; }

}  // namespace

std::vector<LayerCondition> layer_conditions(const NestReuse& nest) {
  std::set<double> distances;
  for (const Walk& walk : nest.walks) {
    if (walk.nontemporal) continue;
    for (const double gap : walk.gaps) {
      if (std::isfinite(gap)) distances.insert(gap);
    }
  }
  std::vector<LayerCondition> conditions;
  for (const double reuse : distances) conditions.push_back({reuse, Bytes(room(nest, reuse))});
  return conditions;
}

LayerTraffic layer_traffic(const NestReuse& nest, Bytes capacity) {
  const double reach = bridged(nest, capacity);
  LayerTraffic sum;
  for (const Walk& walk : nest.walks) {
    const LayerTraffic one = traffic_of(walk, reach);
    sum.in += one.in, sum.out += one.out, sum.nontemporal += one.nontemporal;
  }
  return sum;
}

std::vector<Bytes> reachable(const Machine& machine, double scale) {
  std::vector<Bytes> all;
  for (const CacheLevel& cache : machine.caches) {
    const Bytes size(static_cast<double>(cache.size) * scale);
    all.push_back(cache.role == Role::victim && !all.empty() ? all.back() + size : size);
  }
  return all;
}

bool smeared(double a, double b) {
  constexpr double tolerance = 0.05;
  return std::abs(a - b) > tolerance * std::min(a, b);
}

std::vector<double> layer_bytes_per_update(const NestReuse& nest, const Machine& machine, double scale) {
  if (!nest.why_not.empty() || nest.updates == 0) return {};
  if (!std::all_of(machine.caches.begin(), machine.caches.end(), ordinary)) return {};
  const std::vector<Bytes> room = reachable(machine, scale);
  std::vector<double> all;
  for (std::size_t c = 0; c < room.size(); ++c) {
    const LayerTraffic beyond = layer_traffic(nest, room[c]);
    double bytes = beyond.in + beyond.out;
    if (c + 1 == room.size()) {
      bytes += beyond.nontemporal;
    } else if (machine.caches[c + 1].role == Role::victim) {  // its hits come up, every line goes down
      bytes = 2 * beyond.in - layer_traffic(nest, room[c + 1]).in;
    }
    all.push_back(bytes / nest.updates);
  }
  return all;
}

}  // namespace mansard
