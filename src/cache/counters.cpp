#include "cache/counters.hpp"

#include <algorithm>

namespace mansard {
namespace {

// A default-constructed Counters takes the shape of what is added to it.
template <class T, class Combine>
void combine(std::vector<T>& to, const std::vector<T>& from, Combine&& each) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) each(to[i], from[i]);
}

template <class Combine>
void combine(Counters& to, const Counters& from, Combine each) {
  each(to.loads, from.loads);
  each(to.stores, from.stores);
  each(to.nontemporal_stores, from.nontemporal_stores);
  each(to.line_lookups, from.line_lookups);
  each(to.dirty_left, from.dirty_left);
  combine(to.levels, from.levels, each);
  combine(to.flows, from.flows, [&](auto& row, const auto& other) { combine(row, other, each); });
  combine(to.samples, from.samples, [&](auto& row, const auto& other) { combine(row, other, each); });
}

constexpr auto add = [](auto& to, const auto& from) { to += from; };
constexpr auto subtract = [](auto& to, const auto& from) { to -= from; };

}  // namespace

Flow& Flow::operator+=(const Flow& o) {
  demand_fills += o.demand_fills;
  write_allocate += o.write_allocate;
  prefetch += o.prefetch;
  write_back += o.write_back;
  clean_victims += o.clean_victims;
  nontemporal += o.nontemporal;
  write_through += o.write_through;
  return *this;
}

Flow& Flow::operator-=(const Flow& o) {
  demand_fills -= o.demand_fills;
  write_allocate -= o.write_allocate;
  prefetch -= o.prefetch;
  write_back -= o.write_back;
  clean_victims -= o.clean_victims;
  nontemporal -= o.nontemporal;
  write_through -= o.write_through;
  return *this;
}

LevelCount& LevelCount::operator+=(const LevelCount& o) {
  load_hits += o.load_hits;
  load_misses += o.load_misses;
  store_hits += o.store_hits;
  store_misses += o.store_misses;
  return *this;
}

LevelCount& LevelCount::operator-=(const LevelCount& o) {
  load_hits -= o.load_hits;
  load_misses -= o.load_misses;
  store_hits -= o.store_hits;
  store_misses -= o.store_misses;
  return *this;
}

Counters::Counters(std::size_t caches, std::size_t arrays)
    : levels(caches), flows(caches + 1, std::vector<Flow>(arrays)) {}

Flow Counters::boundary(std::size_t b) const {
  Flow sum;
  for (const Flow& array : flows.at(b)) sum += array;
  return sum;
}

Counters& Counters::operator+=(const Counters& o) {
  combine(*this, o, add);
  return *this;
}

Counters& Counters::operator-=(const Counters& o) {
  combine(*this, o, subtract);
  return *this;
}

}  // namespace mansard
