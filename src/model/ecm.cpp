#include "model/ecm.hpp"

#include <algorithm>
#include <cmath>

#include "model/notation.hpp"

namespace mansard {
namespace {

using Time = std::optional<Cycles>;

/// Composition of the times up to one level.
class Composition {
 public:
  Composition(Time core_overlapping) : total_(core_overlapping), bound_("compute") {}

  void add(const std::string& level, bool serial, const Time& time) {
    if (!time) known_ = false;
    if (!known_ || !time) return;
    if (serial) {
      sum_ += *time;
      if (*time > largest_serial_) largest_serial_ = *time, serial_level_ = level;
    } else if (total_ && *time > *total_) {
      total_ = time, bound_ = level;
    }
  }
  [[nodiscard]] Time total() const { return known_ && total_ ? Time(std::max(*total_, sum_)) : std::nullopt; }
  [[nodiscard]] std::string bound_by() const {
    if (!known_ || !total_) return {};
    return sum_ > *total_ ? serial_level_ : bound_;
  }

 private:
  Time total_;  // the largest of what overlaps
  std::string bound_;
  Cycles sum_, largest_serial_;
  std::string serial_level_;
  bool known_ = true;
};

Time plus(const Time& a, const Time& b) { return a && b ? Time(*a + *b) : std::nullopt; }

template <class Change>
void change_all(EcmTimes& times, Change change) {
  change(times.t_ol);
  change(times.t_nol);
  for (Time& t : times.transfers) change(t);
  for (Time& t : times.predictions) change(t);
  change(times.t_latency);
  change(times.t_wait);
  change(times.t_split_loads);
  change(times.one_core);
}

}  // namespace

std::optional<Cycles> EcmTimes::total() const { return predictions.empty() ? std::nullopt : predictions.back(); }

bool adds(const Machine& machine, std::size_t boundary) {
  return std::find(machine.serial.begin(), machine.serial.end(), machine.boundary(boundary)) != machine.serial.end();
}

EcmTimes ecm_times(const Machine& machine, const InCore& core, std::vector<std::optional<Cycles>> transfers,
                   const std::optional<Cycles>& latency, const std::optional<Cycles>& wait) {
  EcmTimes times{core.t_ol, core.t_nol, std::move(transfers), {}, latency, wait, {}, {}, {}, core.bound};
  if (core.t_split_loads > Cycles(0)) times.t_split_loads = core.t_split_loads;
  Composition composition(core.t_ol);
  composition.add(machine.level(0), adds(machine, 0), core.t_nol);
  times.predictions.push_back(composition.total());
  Composition slower = composition;  // with the latency that one core does not hide
  for (std::size_t b = 1; b <= times.transfers.size(); ++b) {
    Time time = times.transfers[b - 1];
    if (wait && b == times.transfers.size()) time = plus(time, wait);
    slower = composition;
    slower.add(machine.level(b), adds(machine, b), latency ? plus(time, latency) : time);
    composition.add(machine.level(b), adds(machine, b), time);
    times.predictions.push_back(composition.total());
  }
  if (latency) times.one_core = slower.total();
  times.bound_by = composition.bound_by();
  if (times.one_core && times.t_split_loads > times.one_core) {
    times.one_core = times.t_split_loads;
    times.bound_by = "compute";
    times.core_bound = waits_for_stores;
  }
  return times;
}

EcmTimes added(std::span<const EcmTimes> nests) {
  if (nests.empty()) return {};
  EcmTimes sum = nests.front();
  const EcmTimes* slowest = &nests.front();
  for (const EcmTimes& nest : nests.subspan(1)) {
    sum.t_ol = plus(sum.t_ol, nest.t_ol);
    sum.t_nol = plus(sum.t_nol, nest.t_nol);
    sum.t_latency = plus(sum.t_latency, nest.t_latency);
    sum.one_core = plus(sum.one_core, nest.one_core);
    if (nest.t_wait) sum.t_wait = sum.t_wait.value_or(Cycles(0)) + *nest.t_wait;
    if (nest.t_split_loads) sum.t_split_loads = sum.t_split_loads.value_or(Cycles(0)) + *nest.t_split_loads;
    for (std::size_t i = 0; i < sum.transfers.size(); ++i) {
      sum.transfers[i] = plus(sum.transfers[i], nest.transfers[i]);
    }
    for (std::size_t i = 0; i < sum.predictions.size(); ++i) {
      sum.predictions[i] = plus(sum.predictions[i], nest.predictions[i]);
    }
    if (nest.total() > slowest->total()) slowest = &nest;
  }
  sum.core_bound = slowest->core_bound;
  sum.bound_by = sum.total() ? slowest->bound_by : std::string();
  return sum;
}

std::optional<Ecm> ecm_per_unit(const Machine& machine, const EcmTimes& times, std::uint64_t updates,
                                double unit_updates) {
  if (updates == 0) return std::nullopt;
  Ecm ecm;
  ecm.unit_updates = unit_updates;
  ecm.unit = times;
  change_all(ecm.unit, [&](Time& t) {
    if (t) t = *t * (unit_updates / static_cast<double>(updates));
  });
  ecm.notation = ecm_notation(ecm.unit);
  ecm.predictions = ecm_predictions(ecm.unit);
  const Time total = ecm.unit.total();
  if (total && *total > Cycles(0)) {
    const auto rate = [&](const Cycles& time) { return unit_updates / (time / machine.clock).value; };
    ecm.updates_per_second = rate(*total);
    ecm.one_core_rate = rate(ecm.unit.one_core.value_or(*total));
    const Time memory = ecm.unit.transfers.empty() ? std::nullopt : ecm.unit.transfers.back();
    if (memory && *memory > Cycles(0)) {
      constexpr double rounding = 1e-9;  // a ratio of exactly 3 must not become 4
      ecm.saturation_cores =
          static_cast<std::uint64_t>(std::ceil(*std::max(total, ecm.unit.t_split_loads) / *memory - rounding));
    }
  }
  return ecm;
}

}  // namespace mansard
