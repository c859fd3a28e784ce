// Layer conditions: how much a cache must hold for an element to be found there when it is needed again, and the
// traffic that follows. Closed forms, beside the simulation. Stengel, Treibig, Hager, Wellein, ICS 2015;
// general nests: Hammer, Eitzinger, Hager, Wellein, Kerncraft, 2017 (doi:10.1007/978-3-319-56702-0_1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "model/reuse.hpp"
#include "units/quantity.hpp"

namespace mansard {

/// Elements needed again within `reuse` iterations are found in a cache of `needed` bytes.
struct LayerCondition {
  double reuse = 0;
  Bytes needed;
};

/// The conditions of a nest, one for each reuse distance, shortest first. The room is what all walks touch meanwhile:
/// sum over gaps g of stride * min(g, reuse), with full associativity and LRU.
std::vector<LayerCondition> layer_conditions(const NestReuse& nest);

/// Bytes of one iteration between a cache and what lies behind it. Lines touched again after a longer time than the
/// cache can bridge come in anew, and go out again if they were stored to.
struct LayerTraffic {
  double in = 0, out = 0, nontemporal = 0;
};
LayerTraffic layer_traffic(const NestReuse& nest, Bytes capacity);

/// Bytes in which a line may be found up to each cache: its size, and that of the level above as well where the cache
/// is a victim level, which holds other lines.
std::vector<Bytes> reachable(const Machine& machine, double scale = 1);

/// Hardware smears a transition over about this range of capacities where LRU steps: replacement is not LRU, sets are
/// not equally loaded, and other data pass through. Measured: docs/validation.md.
struct Smear {
  double less = 0.5, more = 1.4;
};
inline constexpr Smear smear;

/// Whether two amounts of traffic differ by more than halos and rounding do.
bool smeared(double a, double b);

/// Bytes per update at boundaries 1 (L1-L2) ... n (memory), counted as in docs/bytes.md, with all capacities times
/// `scale`. Empty where closed forms do not apply: to the nest, or to caches that do not allocate or are written
/// through.
std::vector<double> layer_bytes_per_update(const NestReuse& nest, const Machine& machine, double scale = 1);

}  // namespace mansard
