#include "model/quick_roofline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "input/diagnostic.hpp"
#include "model/mix.hpp"
#include "model/roofline.hpp"

namespace mansard {
namespace {

void of_cpu(const Machine& machine, QuickRoofline& quick) {
  const std::uint32_t bytes = quick.type == "fp64" ? 8 : quick.type == "fp32" ? 4 : 2;
  quick.peak = peak_of(machine, std::max(1U, machine.core.simd / bytes), quick.cores);
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

/// Of a cache of a GPU: as measured with reads, else with the next mix; of the L1 that of all multiprocessors.
std::optional<BytesPerSecond> bandwidth_of(const Machine& machine, const GpuCache& cache) {
  for (const char* mix : {"read", "scale", "init"}) {
    if (const auto found = cache.measured.find(mix); found != cache.measured.end()) return found->second;
  }
  if (cache.scope != CacheScope::sm || !cache.bandwidth) return std::nullopt;
  return BytesPerSecond(cache.bandwidth->value * machine.clock.value * machine.gpu->sm.count);
}

}  // namespace

QuickRoofline level_roofline(const Machine& machine, const std::vector<std::pair<std::string, Intensity>>& intensities,
                             std::optional<Flops> flops, std::optional<Seconds> launch, const std::string& type) {
  if (!machine.gpu) throw InputError({"--intensity"}, fmt::format("is for GPUs, and {} is a CPU", machine.id));
  const Gpu& gpu = *machine.gpu;
  QuickRoofline quick;
  quick.type = type;
  quick.flops = flops.value_or(Flops(0));
  quick.launch = launch ? launch : machine.launch;
  of_gpu(gpu, quick);
  if (quick.peak) {
    quick.without_fma = FlopsPerSecond(quick.peak->value / 2);
    quick.attainable = quick.peak, quick.bound = "compute";
  }
  for (const auto& [name, intensity] : intensities) {
    const auto cache = std::ranges::find(gpu.caches, name, &GpuCache::name);
    if (cache == gpu.caches.end() && name != gpu.memory.name) {
      std::string levels;
      for (const GpuCache& c : gpu.caches) levels += c.name + ", ";
      throw InputError({"--intensity"},
                       fmt::format("no level is called '{}'; there are {}{}", name, levels, gpu.memory.name));
    }
    LevelRoof level{name, intensity, cache == gpu.caches.end() ? quick.bandwidth : bandwidth_of(machine, *cache), {}};
    if (level.bandwidth) {
      level.roof = intensity * *level.bandwidth;
      if (!quick.attainable || *level.roof < *quick.attainable) quick.attainable = level.roof, quick.bound = name;
    } else {
      quick.warnings.push_back(fmt::format("the machine file gives no bandwidth of {}", name));
    }
    quick.levels.push_back(std::move(level));
  }
  if (quick.peak && quick.bandwidth) quick.ridge = *quick.peak / *quick.bandwidth;
  if (flops && quick.attainable && quick.attainable->value > 0)
    quick.time = *flops / *quick.attainable + quick.launch.value_or(Seconds(0));
  return quick;
}

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
