// Execution-cache-memory model: in-core time and data transfers, composed by the machine's overlap rules.
// Treibig, Hager, PPAM 2009; Stengel, Treibig, Hager, Wellein, ICS 2015 (doi:10.1145/2751205.2751240), equations 1-4.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "model/incore.hpp"
#include "units/quantity.hpp"

namespace mansard {

/// Cycles of one nest, of several added up, or of one unit of work. What is not known is absent.
struct EcmTimes {
  std::optional<Cycles> t_ol, t_nol;
  std::vector<std::optional<Cycles>> transfers;    ///< boundary 1 (L1-L2) … n (memory)
  std::vector<std::optional<Cycles>> predictions;  ///< with the data in level 0 (L1) … n (memory), without latency
  std::optional<Cycles>
      t_latency;  ///< of memory, exposed to one core (latency.hpp); added to the memory's time in one_core
  std::optional<Cycles> t_wait;  ///< of one core for its streaming stores (latency.hpp); added to the memory's time
  std::optional<Cycles>
      t_split_loads;               ///< of iterations that wait for each other (split_loads.hpp): one_core is no less
  std::optional<Cycles> one_core;  ///< the last prediction with it; absent if either is unknown
  std::string bound_by;            ///< the level whose transfer is the largest part of what binds, "compute", or empty
  std::string core_bound;          ///< name of the largest in-core term, see InCore
  [[nodiscard]] std::optional<Cycles> total() const;  ///< with the data where the simulation found them
};

/// EcmTimes::core_bound where t_split_loads decides.
inline constexpr const char* waits_for_stores = "split loads";

/// T = max(T_OL, sum of serial times, each overlapping time); machine.serial names the boundaries whose times add, and
/// T_nOL is the time of "REG-L1". `transfers` as from transfer_times(), `latency` as from latency_time(), `wait` as
/// from wait_time().
EcmTimes ecm_times(const Machine& machine, const InCore& core, std::vector<std::optional<Cycles>> transfers,
                   const std::optional<Cycles>& latency = {}, const std::optional<Cycles>& wait = {});

/// Whether the time of boundary 0 (REG-L1) … n (memory) adds to the others; else it overlaps them.
bool adds(const Machine& machine, std::size_t boundary);

/// Nests run one after another: all times add; the slowest nest names what binds.
EcmTimes added(std::span<const EcmTimes> nests);

/// A prediction per unit of work.
struct Ecm {
  double unit_updates = 0;                        ///< updates per unit of work: those of one cache line of results
  EcmTimes unit;                                  ///< cycles per unit
  std::string notation;                           ///< "{6 ‖ 8 | 10 | 6 | 13}", "?" for what is not known
  std::string predictions;                        ///< "{8 ⌉ 18 ⌉ 24 ⌉ 37}"
  std::optional<double> updates_per_second;       ///< one core, by the published form: unit.total()
  std::optional<double> one_core_rate;            ///< updates/s by unit.one_core where that is known, else the same
  std::optional<std::uint64_t> saturation_cores;  ///< ceil(T / T_memory): cores that saturate one memory domain
};

/// `times` of `updates` updates, expressed per unit. None without updates.
std::optional<Ecm> ecm_per_unit(const Machine& machine, const EcmTimes& times, std::uint64_t updates,
                                double unit_updates);

}  // namespace mansard
