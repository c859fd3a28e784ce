#include "model/quick_roofline.hpp"

#include <algorithm>

#include "model/mix.hpp"
#include "model/roofline.hpp"

namespace mansard {
namespace {

/// fp16 on a CPU is not known: its cores give throughputs of single and double precision.
void of_cpu(const Machine& machine, QuickRoofline& quick) {
  const std::uint32_t bytes = quick.type == "fp64" ? 8 : 4;
  if (quick.type != "fp16") quick.peak = peak_of(machine, std::max(1U, machine.core.simd / bytes), quick.cores);
  if (!quick.peak) quick.warnings.emplace_back("the machine file gives no peak: core.per_cycle.fma, or add and mul");
  if (const auto mix = nearest_mix(machine, Flow{})) {
    quick.memory_mix = mix->name;
    quick.bandwidth = bandwidth_of(machine, mix->bandwidth, quick.cores);
  }
  quick.memory = machine.memory.name;
}

void of_gpu(const Gpu& gpu, QuickRoofline& quick) {
  quick.gpu = true;
  quick.cores = gpu.sm.count;
  quick.memory = gpu.memory.name;
  if (const auto rate = gpu.rates.vector.find(quick.type); rate != gpu.rates.vector.end()) quick.peak = rate->second;
  if (!quick.peak) quick.warnings.push_back("the machine file gives no peak: rates.vector." + quick.type);
  for (const char* mix : {"read", "scale", "init"}) {
    const auto measured = gpu.memory.measured.find(mix);
    if (quick.bandwidth || measured == gpu.memory.measured.end()) continue;
    quick.memory_mix = mix;
    quick.bandwidth = measured->second;
  }
  if (!quick.bandwidth && gpu.memory.spec) {
    quick.bandwidth = gpu.memory.spec;
    quick.warnings.emplace_back("no bandwidth was measured: the specified one is used, which no kernel reaches");
  }
}

}  // namespace

QuickRoofline quick_roofline(const Machine& machine, Flops flops, Bytes bytes, std::uint32_t cores,
                             std::optional<Seconds> launch, const std::string& type) {
  QuickRoofline quick;
  quick.flops = flops, quick.bytes = bytes, quick.cores = cores, quick.type = type;
  quick.launch = launch ? launch : machine.launch;
  if (machine.gpu) {
    of_gpu(*machine.gpu, quick);
  } else {
    quick.warnings = machine.warnings;
    of_cpu(machine, quick);
  }
  if (bytes > Bytes(0)) quick.intensity = flops / bytes;
  if (!quick.bandwidth) quick.warnings.emplace_back("the machine file gives no memory bandwidth");
  if (!quick.peak || !quick.bandwidth) return quick;

  quick.ridge = *quick.peak / *quick.bandwidth;
  quick.attainable = quick.intensity ? std::min(*quick.peak, *quick.intensity * *quick.bandwidth) : *quick.peak;
  const Seconds compute = flops / *quick.peak, transfer = bytes / *quick.bandwidth;
  quick.bound = transfer > compute ? quick.memory : "compute";
  quick.time = std::max(compute, transfer) + quick.launch.value_or(Seconds(0));
  return quick;
}

}  // namespace mansard
