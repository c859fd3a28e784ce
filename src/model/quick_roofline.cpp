#include "model/quick_roofline.hpp"

#include <algorithm>

#include "model/mix.hpp"
#include "model/roofline.hpp"

namespace mansard {

QuickRoofline quick_roofline(const Machine& machine, Flops flops, Bytes bytes, std::uint32_t cores,
                             std::optional<Seconds> launch) {
  QuickRoofline quick;
  quick.flops = flops, quick.bytes = bytes, quick.cores = cores;
  quick.launch = launch ? launch : machine.launch;
  quick.warnings = machine.warnings;
  const std::uint32_t bytes_of_double = 8;
  quick.peak = peak_of(machine, std::max(1U, machine.core.simd / bytes_of_double), cores);
  if (const auto mix = nearest_mix(machine, Flow{})) {
    quick.memory_mix = mix->name;
    quick.bandwidth = bandwidth_of(machine, mix->bandwidth, cores);
  }
  if (bytes > Bytes(0)) quick.intensity = flops / bytes;
  if (!quick.peak) quick.warnings.emplace_back("the machine file gives no peak: core.per_cycle.fma, or add and mul");
  if (!quick.bandwidth) quick.warnings.emplace_back("the machine file gives no memory bandwidth");
  if (!quick.peak || !quick.bandwidth) return quick;

  quick.ridge = *quick.peak / *quick.bandwidth;
  quick.attainable = quick.intensity ? std::min(*quick.peak, *quick.intensity * *quick.bandwidth) : *quick.peak;
  const Seconds compute = flops / *quick.peak, transfer = bytes / *quick.bandwidth;
  quick.bound = transfer > compute ? machine.memory.name : "compute";
  quick.time = std::max(compute, transfer) + quick.launch.value_or(Seconds(0));
  return quick;
}

}  // namespace mansard
