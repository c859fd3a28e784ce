// The shipped GPUs against the figures they were made from.
#include <filesystem>

#include "machine/load.hpp"
#include "machine_text.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::test;

namespace {

const std::filesystem::path folder = std::filesystem::path(MANSARD_SOURCE_DIR) / "machines" / "gpu";

Machine shipped(const std::string& id, const std::vector<Override>& overrides = {}) {
  return load_machine(folder / (id + ".yaml"), overrides, vocabulary);
}
double gigabytes(const BytesPerSecond& value) { return value.value / 1e9; }
double gigaflops(const FlopsPerSecond& value) { return value.value / 1e9; }

/// FMA lanes of one SM for FP64 that the rate of the whole GPU amounts to.
double fp64_lanes(const Machine& machine) {
  const Gpu& gpu = *machine.gpu;
  return gpu.rates.vector.at("fp64").value / 2 / gpu.sm.count / machine.clock.value;
}

}  // namespace

TEST_CASE("every shipped GPU loads, names its sources, says what is assumed and can be overridden") {
  std::size_t found = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    INFO(file.path().string());
    ++found;
    const Machine machine = load_machine(file.path(), {}, vocabulary);
    REQUIRE(machine.gpu.has_value());
    for (const char* source : {"sm", "clock", "caches.L1", "caches.L2", "memory.spec", "overlap"})
      CHECK(machine.sources.contains(source));
    CHECK(machine.sources.contains("memory.measured") == !machine.gpu->memory.measured.empty());
    CHECK(machine.sources.contains("memory.latency") == machine.gpu->memory.latency.has_value());
    CHECK(machine.warnings.size() == machine.gpu->caches.size());  // no vendor publishes all ways
    const GpuCache& last = machine.gpu->caches.back();
    const std::string twice = "caches." + last.name + ".size=" + std::to_string(2 * last.size) + " B";
    CHECK(load_machine(file.path(), {parse_override(twice)}, vocabulary).gpu->caches.back().size == 2 * last.size);
  }
  CHECK(found == 14);
}

TEST_CASE("memory bandwidths of gpu-stream: read, scale, init") {
  struct Row {
    const char* id;
    double read, scale, init;
  };
  for (const Row& row :
       {Row{"v100-pcie", 866, 804, 895}, Row{"a100-sxm-40", 1490, 1381, 1503}, Row{"a100-sxm-80", 1769, 1732, 1880},
        Row{"h100-pcie", 1942, 1704, 2016}, Row{"h200-sxm", 2756, 3165, 3884}, Row{"a40", 679, 653, 679},
        Row{"l40", 845, 780, 846}, Row{"mi100", 1180, 1042, 1058}, Row{"mi300x", 4199, 3997, 4801}}) {
    INFO(row.id);
    const auto measured = shipped(row.id).gpu->memory.measured;
    CHECK(gigabytes(measured.at("read")) == Approx(row.read));
    CHECK(gigabytes(measured.at("scale")) == Approx(row.scale));
    CHECK(gigabytes(measured.at("init")) == Approx(row.init));
  }
}

TEST_CASE("an MI210 has the roofs that Omniperf measured") {
  const Machine machine = shipped("mi210");
  const Gpu& gpu = *machine.gpu;
  const auto of_all = [&](const BytesPerCycle& width) { return gigabytes(width * machine.clock * gpu.sm.count); };
  CHECK(gpu.sm.warp == 64);
  CHECK(gigabytes(gpu.memory.measured.at("read")) == Approx(1389));
  CHECK(gigabytes(gpu.caches[1].measured.at("read")) == Approx(5031));
  CHECK(gigabytes(gpu.caches[0].measured.at("read")) == Approx(9237));
  CHECK(of_all(*gpu.caches[0].bandwidth) == Approx(9237).epsilon(1e-4));
  CHECK(of_all(*gpu.sm.shared.bandwidth) == Approx(18223).epsilon(1e-4));
  CHECK(gigaflops(gpu.rates.vector.at("fp32")) == Approx(20986));
  CHECK(gigaflops(gpu.rates.vector.at("fp64")) == Approx(20303));
}

TEST_CASE("FP64 lanes of an SM follow from rate, clock and SMs") {
  for (const auto& [id, lanes] : {std::pair{"v100-pcie", 32.0},
                                  {"a100-sxm-40", 32},
                                  {"a100-sxm-80", 32},
                                  {"h100-pcie", 64},
                                  {"h100-sxm", 64},
                                  {"h200-sxm", 64},
                                  {"a40", 2},
                                  {"l40", 2},
                                  {"rtx3090", 2},
                                  {"rtx4090", 2},
                                  {"mi100", 32},
                                  {"mi250x-gcd", 64},
                                  {"mi300x", 64}}) {
    INFO(id);
    CHECK(fp64_lanes(shipped(id)) == Approx(lanes).epsilon(0.005));
  }
}

TEST_CASE("partitions, dies and the memory-side cache") {
  for (const char* id : {"a100-sxm-40", "a100-sxm-80", "h100-pcie", "h100-sxm", "h200-sxm"}) {
    INFO(id);
    CHECK(shipped(id).gpu->caches[1].duplicated);
    CHECK(shipped(id).gpu->caches[1].partitions == 2);
  }
  const Gpu mi300x = *shipped("mi300x").gpu;
  CHECK(mi300x.dies == 8);
  CHECK(mi300x.sm.count == 8 * 38);
  CHECK(mi300x.caches[1].scope == CacheScope::die);
  CHECK(mi300x.caches[2].memory_side);
  CHECK(mi300x.caches[2].size == 256ULL << 20U);
}
