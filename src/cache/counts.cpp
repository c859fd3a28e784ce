#include "cache/counts.hpp"

namespace mansard {
namespace {

/// Calls f(value, before) for every counter.
template <class Function>
void each(Counts& c, const Counts& b, const Function& f) {
  f(c.loads, b.loads), f(c.stores, b.stores);
  f(c.nontemporal_stores, b.nontemporal_stores), f(c.line_lookups, b.line_lookups);
  for (std::size_t k = 0; k < c.levels.size(); ++k) {
    f(c.levels[k].load_hits, b.levels[k].load_hits), f(c.levels[k].load_misses, b.levels[k].load_misses);
    f(c.levels[k].store_hits, b.levels[k].store_hits), f(c.levels[k].store_misses, b.levels[k].store_misses);
  }
  for (std::size_t i = 0; i < c.flows.size(); ++i) {
    Flow& x = c.flows[i];
    const Flow& y = b.flows[i];
    f(x.demand_fills, y.demand_fills), f(x.write_allocate, y.write_allocate), f(x.prefetch, y.prefetch);
    f(x.write_back, y.write_back), f(x.clean_victims, y.clean_victims);
    f(x.nontemporal, y.nontemporal), f(x.write_through, y.write_through);
  }
}

}  // namespace

void Counts::repeat_since(const Counts& before, std::uint64_t times) {
  each(*this, before, [times](std::uint64_t& now, std::uint64_t then) { now += (now - then) * times; });
}

void Counts::since(const Counts& before, Counts& difference) const {
  difference = *this;
  each(difference, before, [](std::uint64_t& now, std::uint64_t then) { now -= then; });
}

void Counts::add_to(Counters& counters, std::size_t groups) const {
  counters.loads += loads, counters.stores += stores;
  counters.nontemporal_stores += nontemporal_stores, counters.line_lookups += line_lookups;
  for (std::size_t k = 0; k < levels.size(); ++k) counters.levels[k] += levels[k];
  const std::size_t columns = flows.size() / (levels.size() + 1);
  if (groups > 1) counters.samples.resize(levels.size() + 1, std::vector<std::uint64_t>(groups));
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const std::size_t boundary = i / columns, column = i % columns;
    counters.flows[boundary][column / groups] += flows[i];
    if (groups > 1) counters.samples[boundary][column % groups] += flows[i].total();
  }
}

}  // namespace mansard
