// The shipped machine files against the figures they were made from.
#include <filesystem>

#include "machine/load.hpp"
#include "machine_text.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::test;

namespace {
const std::filesystem::path folder = std::filesystem::path(MANSARD_SOURCE_DIR) / "machines" / "cpu";
Machine shipped(const std::string& id, const std::vector<Override>& overrides = {}) {
  return load_machine(folder / (id + ".yaml"), overrides, vocabulary);
}
/// Cycles that `lines` cache lines take from memory, saturated in one domain, with the mix named.
double memory_cycles(const Machine& machine, double lines, const std::string& mix) {
  return lines * 64 * machine.clock.value / machine.memory.bandwidth.at(mix).domain->value;
}
double peak(const Machine& machine) {
  return 2 * machine.core.per_cycle.fma.value() * machine.core.simd / 8 * machine.clock.value;
}
}  // namespace

TEST_CASE("every shipped machine loads, names its sources and can be overridden") {
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    INFO(file.path().string());
    const Machine machine = load_machine(file.path(), {}, vocabulary);
    CHECK_FALSE(machine.sources.empty());
    CHECK(machine.id == file.path().stem().string());
    const Machine larger = load_machine(file.path(), {parse_override("caches.L3.size=55 MiB")}, vocabulary);
    CHECK(larger.caches[2].ways == machine.caches[2].ways);
    CHECK(larger.caches[2].size == 55U << 20);
  }
}

TEST_CASE("geometries of the facts table") {
  const auto is = [](const CacheLevel& cache, std::uint64_t sets, std::uint32_t ways) {
    return cache.sets == sets && cache.ways == ways;
  };
  CHECK(is(shipped("sandybridge-ep-e5-2680").caches[0], 64, 8));
  CHECK(is(shipped("sandybridge-ep-e5-2680").caches[1], 512, 8));
  CHECK(is(shipped("sandybridge-ep-e5-2680").caches[2], 20480, 16));
  CHECK(is(shipped("ivybridge-ep-e5-2660v2").caches[2], 25600, 16));
  CHECK(is(shipped("ivybridge-ep-e5-2690v2").caches[2], 25600, 16));
  CHECK(is(shipped("haswell-ep-e5-2695v3-cod").caches[2], 14336, 20));
  CHECK(is(shipped("skylake-sp-6148-snc").caches[1], 1024, 16));
  CHECK(is(shipped("skylake-sp-6148-snc").caches[2], 20480, 11));
  CHECK(is(shipped("cascadelake-sp-6248").caches[2], 40960, 11));
  CHECK(shipped("skylake-sp-6148-snc").caches[2].role == Role::victim);
}

TEST_CASE("memory terms of published ECM tables follow from the bandwidths") {
  // Stengel et al., ICS 2015: 13 cycles for the three lines of a copy on Sandy Bridge, 26 for six lines of uxx.
  CHECK(memory_cycles(shipped("sandybridge-ep-e5-2680"), 3, "copy") == Approx(13).epsilon(0.01));
  CHECK(memory_cycles(shipped("sandybridge-ep-e5-2680"), 6, "copy") == Approx(26).epsilon(0.01));
  // Hammer et al., PMBS 2015, table 5: 2D 5-point on Haswell CoD 16.7; Kahan dot 7.8 and 9.1 with loads only.
  CHECK(memory_cycles(shipped("haswell-ep-e5-2695v3-cod"), 3, "copy") == Approx(16.7).epsilon(0.02));
  CHECK(memory_cycles(shipped("sandybridge-ep-e5-2680"), 2, "load") == Approx(7.8).epsilon(0.01));
  CHECK(memory_cycles(shipped("haswell-ep-e5-2695v3-cod"), 2, "load") == Approx(9.1).epsilon(0.01));
  // Hammer et al., IPTW 2016: long-range on Ivy Bridge, 12 lines with the copy bandwidth of 47.2 GB/s, 48.5 cycles.
  CHECK(memory_cycles(shipped("ivybridge-ep-e5-2690v2"), 12, "copy") == Approx(48.5).epsilon(0.01));
}

TEST_CASE("the didactic machines have the peak and the bandwidth of their names") {
  for (const auto& [id, flops] : {std::pair{"example-2tflops-200gbs", 2e12}, {"example-8tflops-200gbs", 8e12}}) {
    const Machine machine = shipped(id);
    CHECK(peak(machine) == Approx(flops));
    for (const char* mix : {"load", "copy", "update", "triad", "daxpy"})
      CHECK(machine.memory.bandwidth.at(mix).core->value == 200e9);
    CHECK_FALSE(machine.launch.has_value());
    CHECK_FALSE(machine.caches[1].link.load.has_value());
  }
}
