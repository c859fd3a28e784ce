// The in-core time of a nest: what its instructions need with every operand in the L1 cache.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "model/result.hpp"
#include "stream/program.hpp"
#include "units/quantity.hpp"

namespace mansard {

/// One bound of the in-core time: a kind of instruction over its throughput, or the chain.
struct CoreTerm {
  std::string
      name;  ///< "load", "store", "add", "mul", "fma", "fp" (add, mul and fma on the FMA ports), "div", "sqrt", "chain"
  Cycles cycles;
};

/// Cycles of the whole nest. A term whose figure the machine file does not give is left out and named in `missing`;
/// where nothing is known of a time that is needed, the time is absent.
struct InCore {
  std::optional<Cycles> t_ol;   ///< overlaps with data transfers: arithmetic, stores, the carried chain
  std::optional<Cycles> t_nol;  ///< transfers between L1 and registers: loads
  Cycles t_split_loads;         ///< of iterations that wait for each other (split_loads.hpp); overlaps with all others
  std::string bound;            ///< name of the largest term; empty if none is known
  std::vector<CoreTerm> terms;
  std::vector<std::string> missing;  ///< "core.per_cycle.div", "core.latency.add"
};

/// Max of port pressure and loop-carried chain, from the machine's port table. Source: Stengel, Treibig, Hager,
/// Wellein, ICS 2015, section 3 (doi:10.1145/2751205.2751240). What is approximate: docs/model.md.
InCore in_core(const Machine& machine, const Nest& nest, const NestResult& result);

}  // namespace mansard
