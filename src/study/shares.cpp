#include "study/shares.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>

#include "cache/mapped_index.hpp"
#include "input/diagnostic.hpp"
#include "units/mix.hpp"

namespace mansard {
namespace {

/// Removes what every part counts though it happens once: the requests, and hits in the first cache, which are look-ups
/// that did not miss.
void leave_misses(Counters& counters) {
  counters.loads = counters.stores = counters.nontemporal_stores = counters.line_lookups = 0;
  for (Flow& flow : counters.flows.front()) flow = {};
  LevelCount& first = counters.levels.front();
  first.load_hits = 0 - first.load_misses;  // modulo 2^64: the sum over the parts is right
  first.store_hits = 0 - first.store_misses;
}

}  // namespace

std::uint64_t set_classes(const Geometry& geometry) {
  if (combines(geometry)) return 1;  // any two lines may ask for one buffer
  std::uint64_t classes = Share::most_classes;
  for (const LevelGeometry& level : geometry.levels) {
    const bool by_line = !MappedIndex::needed(level) && level.sectors == 1 && !level.prefetch.any();
    if (!by_line) return 1;  // neighbouring lines depend on each other, or their sets are anywhere
    classes = std::min(classes, std::uint64_t{1} << std::countr_zero(level.sets));
  }
  return classes;
}

std::vector<Share> shares_for_threads(const Geometry& geometry, unsigned threads) {
  const std::uint64_t most = set_classes(geometry);
  const std::uint64_t parts = std::min<std::uint64_t>(threads, most);
  // As few classes as possible (loops repeat themselves by whole classes), but evenly shared.
  constexpr std::uint64_t finer = 8;
  const std::uint64_t classes = std::has_single_bit(parts) ? parts : std::min(most, std::bit_ceil(parts) * finer);
  std::vector<Share> shares(parts, Share{classes, 0, false});
  for (std::uint64_t c = 0; c < classes; ++c) shares[c % parts].mine |= std::uint64_t{1} << c;
  return shares;
}

Share share_for_sample(const Geometry& geometry, unsigned one_in) {
  const std::uint64_t classes = set_classes(geometry);
  if (classes < 2 * std::uint64_t{one_in}) {
    const std::uint64_t most = classes / 2;
    throw InputError({"--sample"}, "1/" + std::to_string(one_in) + " is too few of the " + std::to_string(classes) +
                                       " classes that the sets of this machine fall into: " +
                                       (most < 2 ? "they cannot be sampled"
                                                 : "1/" + std::to_string(most) + " is the smallest sample"));
  }
  std::vector<std::uint64_t> order(classes);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::ranges::sort(order, {}, mix);
  Share share{classes, 0, true};
  for (std::uint64_t i = 0; i < classes / one_in; ++i) share.mine |= std::uint64_t{1} << order[i];
  return share;
}

Simulation joined(std::vector<Simulation> parts) {
  Simulation whole = std::move(parts.front());
  for (std::size_t p = 1; p < parts.size(); ++p) {
    for (std::size_t n = 0; n < whole.nests.size(); ++n) {
      Counters& part = parts[p].nests[n].counters;
      leave_misses(part);
      whole.nests[n].counters += part;
    }
    whole.lookups += parts[p].lookups;
    whole.all_lookups += parts[p].all_lookups;
    whole.dirty_left += parts[p].dirty_left;
  }
  return whole;
}

void scale_up(Simulation& simulation, unsigned one_in) {
  for (NestResult& nest : simulation.nests) {
    Counters rest = nest.counters;
    leave_misses(rest);
    for (unsigned i = 1; i < one_in; ++i) nest.counters += rest;
  }
  simulation.dirty_left *= one_in;
}

std::vector<double> spread_between_samples(const Simulation& simulation) {
  std::vector<std::vector<std::uint64_t>> bytes;  // [boundary][sample], of all nests
  for (const NestResult& nest : simulation.nests) {
    const auto& samples = nest.counters.samples;
    if (bytes.empty()) bytes.resize(samples.size(), std::vector<std::uint64_t>(samples.front().size()));
    for (std::size_t b = 0; b < samples.size(); ++b) {
      for (std::size_t s = 0; s < samples[b].size(); ++s) bytes[b][s] += samples[b][s];
    }
  }
  std::vector<double> spreads;
  for (std::size_t b = 1; b < bytes.size(); ++b) {
    const auto [least, most] = std::ranges::minmax(bytes[b]);
    const double mean = static_cast<double>(std::accumulate(bytes[b].begin(), bytes[b].end(), std::uint64_t{0})) /
                        static_cast<double>(bytes[b].size());
    spreads.push_back(mean == 0 ? 0 : static_cast<double>(most - least) / mean);
  }
  return spreads;
}

}  // namespace mansard
