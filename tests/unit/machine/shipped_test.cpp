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
    const CacheLevel& last = machine.caches.back();
    const std::string twice = "caches." + last.name + ".size=" + std::to_string(2 * last.size) + " B";
    const Machine larger = load_machine(file.path(), {parse_override(twice)}, vocabulary);
    CHECK(larger.caches.back().ways == last.ways);
    CHECK(larger.caches.back().sets == 2 * last.sets);
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
  CHECK(is(shipped("haswell-ep-e5-2695v3").caches[2], 28672, 20));
  CHECK(is(shipped("broadwell-ep-e5-2697v4-cod").caches[2], 18432, 20));
  CHECK(is(shipped("skylake-sp-6148").caches[2], 40960, 11));
  CHECK(is(shipped("icelake-sp-8360y").caches[0], 64, 12));
  CHECK(is(shipped("icelake-sp-8360y").caches[1], 1024, 20));
  CHECK(is(shipped("icelake-sp-8360y").caches[2], 73728, 12));
  CHECK(is(shipped("sapphirerapids-8480").caches[2], 114688, 15));
  CHECK(is(shipped("zen-7451").caches[2], 8192, 16));
  CHECK(is(shipped("zen2-7452").caches[2], 16384, 16));
  CHECK(is(shipped("zen4-genoa").caches[1], 2048, 8));
  CHECK(is(shipped("a64fx").caches[0], 64, 4));
  CHECK(is(shipped("a64fx").caches[1], 2048, 16));
  CHECK(shipped("a64fx").caches[1].line == 256);
  CHECK(is(shipped("thunderx2-cn9980").caches[2], 65536, 8));
}

TEST_CASE("flops per cycle and core of the facts table, double precision") {
  for (const auto& [id, flops] : {std::pair{"haswell-ep-e5-2695v3", 16.0},
                                  {"broadwell-ep-e5-2697v4-cod", 16},
                                  {"skylake-sp-6148", 32},
                                  {"icelake-sp-8360y", 32},
                                  {"sapphirerapids-8480", 32},
                                  {"zen-7451", 8},
                                  {"zen2-7452", 16},
                                  {"zen2-7742", 16},
                                  {"zen3-milan", 16},
                                  {"zen4-genoa", 16},
                                  {"a64fx", 32},
                                  {"thunderx2-cn9980", 8},
                                  {"neoverse-v1-graviton3", 16},
                                  {"neoverse-v2-grace", 16}}) {
    INFO(id);
    const Machine machine = shipped(id);
    CHECK(peak(machine) / machine.clock.value == Approx(flops));
  }
}

TEST_CASE(
    "Ice Lake evades the fetch by 2 (1.5 - update/copy) of the reported bandwidths: 1.36 on 8 cores, 1.00 on 18") {
  const Evasion evasion = shipped("icelake-sp-8360y").caches[0].evasion;
  CHECK(evasion_of(evasion, 1) == 0);  // 1.66: beyond the 1.5 of full write-allocate
  CHECK(evasion_of(evasion, 8) == 280'000);
  CHECK(evasion_of(evasion, 18) == 1'000'000);
}

TEST_CASE("geometries that are not known are said to be assumed") {
  for (const char* id : {"sapphirerapids-8480", "thunderx2-cn9980", "neoverse-v1-graviton3", "neoverse-v2-grace"}) {
    INFO(id);
    CHECK(shipped(id).warnings.size() == 1);
  }
  CHECK(shipped("icelake-sp-8360y").warnings.empty());
}

TEST_CASE("cores and domains fit the caches they share") {
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const Machine machine = load_machine(file.path(), {}, vocabulary);
    INFO(machine.id);
    CHECK(machine.cores % machine.domains == 0);
    CHECK(machine.cores % machine.caches.back().shared_by == 0);
    for (std::size_t i = 0; i + 1 < machine.caches.size(); ++i)
      CHECK(machine.caches[i].shared_by <= machine.caches[i + 1].shared_by);
  }
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
