// Two numbers and a machine: by hand.
#include "model/quick_roofline.hpp"

#include "input/diagnostic.hpp"
#include "support/catch.hpp"

using namespace mansard;

namespace {

/// 1 TFLOP/s in fp64 and 2 in fp32; 100 GB/s of reads, 120 specified.
Machine small_gpu() {
  Machine machine;
  machine.kind = "gpu";
  machine.gpu.emplace();
  machine.gpu->sm.count = 10;
  machine.gpu->rates.vector = {{"fp64", FlopsPerSecond(1e12)}, {"fp32", FlopsPerSecond(2e12)}};
  machine.gpu->memory.measured = {{"read", BytesPerSecond(100e9)}, {"scale", BytesPerSecond(90e9)}};
  machine.gpu->memory.spec = BytesPerSecond(120e9);
  return machine;
}

}  // namespace

TEST_CASE("a GPU is bound by its memory as measured with reads, or by the rate of the type") {
  const QuickRoofline slow = quick_roofline(small_gpu(), Flops(1e9), Bytes(1e9), 1, {});
  CHECK(slow.bound == "HBM");
  CHECK(slow.memory_mix == "read");
  CHECK(slow.cores == 10);
  CHECK(slow.time->value == Approx(0.01));
  CHECK(slow.attainable->value == Approx(100e9));
  CHECK(slow.ridge->value == Approx(10));
  const QuickRoofline fast = quick_roofline(small_gpu(), Flops(1e12), Bytes(1e9), 1, Seconds(0.5), "fp32");
  CHECK(fast.bound == "compute");
  CHECK(fast.time->value == Approx(0.5 + 0.5));
  CHECK(fast.warnings.empty());
}

TEST_CASE("a GPU whose memory was not measured has the specified bandwidth, with a warning") {
  Machine machine = small_gpu();
  machine.gpu->memory.measured.erase("read");
  CHECK(quick_roofline(machine, Flops(1e9), Bytes(1e9), 1, {}).memory_mix == "scale");
  machine.gpu->memory.measured.clear();
  const QuickRoofline quick = quick_roofline(machine, Flops(1e9), Bytes(120e9), 1, {});
  CHECK(quick.time->value == Approx(1));
  CHECK(quick.memory_mix.empty());
  CHECK(quick.warnings.size() == 1);
}

TEST_CASE("what a GPU's file does not give stays unknown") {
  const QuickRoofline quick = quick_roofline(small_gpu(), Flops(1e9), Bytes(1e9), 1, {}, "fp16");
  CHECK_FALSE(quick.peak.has_value());
  CHECK_FALSE(quick.time.has_value());
  CHECK(quick.warnings == std::vector<std::string>{"the machine file gives no peak: rates.vector.fp16"});
}

TEST_CASE("of the roofs of several levels of a GPU the lowest binds") {
  Machine machine = small_gpu();
  machine.clock = Hertz(1e9);
  std::vector<GpuCache>& caches = machine.gpu->caches;
  caches.resize(2);
  caches[0].name = std::string("L1");
  caches[0].scope = CacheScope::sm;
  caches[0].bandwidth = BytesPerCycle(64);  // 10 of them: 640 GB/s
  caches[1].name = std::string("L2");
  caches[1].measured = {{"read", BytesPerSecond(300e9)}};
  const auto at = [&](double first, double second, double memory) {
    return level_roofline(machine, {{"L1", Intensity(first)}, {"L2", Intensity(second)}, {"HBM", Intensity(memory)}},
                          Flops(1e9), Seconds(0.5), "fp64");
  };
  const QuickRoofline by_memory = at(1, 2, 5);  // 640, 600, 500 GFLOP/s
  CHECK(by_memory.bound == "HBM");
  CHECK(by_memory.attainable->value == Approx(500e9));
  CHECK(by_memory.time->value == Approx(0.5 + 1.0 / 500));
  CHECK(by_memory.without_fma->value == Approx(500e9));
  CHECK(at(1, 1.5, 5).bound == "L2");
  CHECK(at(0.5, 2, 5).bound == "L1");
  CHECK(at(2, 4, 11).bound == "compute");
  CHECK_THROWS_AS(level_roofline(machine, {{"L3", Intensity(1)}}, {}, {}, "fp64"), InputError);
  CHECK_THROWS_AS(level_roofline(Machine{}, {{"L1", Intensity(1)}}, {}, {}, "fp64"), InputError);
}

TEST_CASE("single precision doubles the lanes of a CPU, half precision once more, as lanes_of() has it") {
  Machine machine;
  machine.clock = Hertz(1e9);
  machine.core.simd = 32;
  machine.core.per_cycle.fma = 2;
  CHECK(quick_roofline(machine, Flops(1), Bytes(1), 1, {}).peak->value == 16e9);
  CHECK(quick_roofline(machine, Flops(1), Bytes(1), 1, {}, "fp32").peak->value == 32e9);
  CHECK(quick_roofline(machine, Flops(1), Bytes(1), 1, {}, "fp16").peak->value == 64e9);
}
