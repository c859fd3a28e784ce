// Reading machine files of kind gpu.
#include "machine/load.hpp"
#include "machine_text.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::test;

namespace {

const std::string small_gpu = R"(name: Small
kind: gpu
clock: 1 GHz
sm:
  count: 4
  warp: 32
  max_threads: 128
  max_blocks: 4
  max_block_threads: 64
  registers: 4096
  load_store_lanes: 16
  shared: {size: 2 KiB}
caches:
  - {name: L1, size: 4 KiB, ways: 4, line: 128 B, sector: 32 B}
  - {name: L2, size: 64 KiB, ways: 8, line: 128 B, sector: 32 B}
memory: {}
rates: {}
)";

Gpu gpu_with(const std::vector<std::string>& overrides) { return *machine_with(overrides, small_gpu).gpu; }
std::string wrong(const std::vector<std::string>& overrides) { return mistakes(overrides, small_gpu); }

}  // namespace

TEST_CASE("what a GPU's file does not give is unknown or has its documented default") {
  const Machine machine = machine_with({}, small_gpu);
  CHECK(machine.kind == "gpu");
  CHECK(machine.caches.empty());
  CHECK(machine.layout_gap == 0);
  CHECK(machine.warnings.empty());
  const Gpu& gpu = *machine.gpu;
  CHECK(gpu.dies == 1);
  CHECK(gpu.overlap == 0.4);
  CHECK_FALSE(gpu.launch.has_value());
  CHECK_FALSE(gpu.sm.issue.has_value());
  CHECK_FALSE(gpu.sm.double_lanes.has_value());
  CHECK(gpu.sm.register_granule == 256);
  CHECK(gpu.sm.shared.per_block == 2048);
  CHECK(gpu.sm.shared.reserved == 0);
  CHECK_FALSE(gpu.sm.shared.carved_from_l1);
  CHECK_FALSE(gpu.sm.shared.bandwidth.has_value());
  CHECK(gpu.caches[0].scope == CacheScope::sm);
  CHECK(gpu.caches[1].scope == CacheScope::gpu);
  CHECK(gpu.caches[1].write_back);
  CHECK_FALSE(gpu.caches[1].usable.has_value());
  CHECK(gpu.caches[1].measured.empty());
  CHECK(gpu.memory.name == "HBM");
  CHECK_FALSE(gpu.memory.latency.has_value());
  CHECK(gpu.memory.fetch == 64);
  CHECK(gpu.rates.vector.empty());
  CHECK(gpu.pages.page == 2 << 20);
  CHECK_FALSE(gpu.pages.in_reach.has_value());
}

TEST_CASE("every key of a GPU arrives where it belongs") {
  const Machine machine = machine_with(
      {"sm={count: 8, warp: 64, max_threads: 256, max_blocks: 2, max_block_threads: 128, registers: 8192,"
       " register_granule: 512, max_registers: 100, issue: 1/2, load_store_lanes: 32, double_lanes: 16, l1_banks: 8, "
       "l1_bank: 4 B,"
       " tag_lines: 1.5, shared: {size: 2 KiB, per_block: 1 KiB, reserved: 64 B, granule: 128 B, from_l1: true,"
       " steps: [0 B, 1 KiB, 2 KiB], banks: 16, bank: 8 B, bandwidth: 128 B/cy}}",
       "dies=2",
       "caches=[{name: L1, size: 8 KiB, ways: 4, line: 64 B}, {name: L2, size: 64 KiB, usable: 32 KiB, ways: 8,"
       " assumed: true, line: 128 B, sector: 64 B, scope: die, partitions: 2, duplicated: true, write: through,"
       " allocate: false, bandwidth: 64 B/cy, measured: {read: 2 GB/s, scale: 3 GB/s, init: 1 GB/s}, latency: 200,"
       " far_latency: 300}, {name: IC, size: 1 MiB, ways: 16, line: 128 B, memory_side: true}]",
       "memory={name: GDDR, spec: 9 GB/s, measured: {read: 8 GB/s}, latency: 300 ns, fetch: 32 B, store: 64 B}",
       "rates={vector: {fp64: 1 TFLOP/s, fp32: 2 TFLOP/s, fp16: 4 TFLOP/s}, tensor: {bf16: 8 TFLOP/s}}",
       "pages={size: 64 KiB, in_reach: 7}", "overlap=0", "launch=2 us", "layout.gap=0 B", "sources.clock=a data sheet"},
      small_gpu);
  const Gpu& gpu = *machine.gpu;
  CHECK(gpu.sm.count == 8);
  CHECK(gpu.sm.warp == 64);
  CHECK(gpu.sm.max_threads == 256);
  CHECK(gpu.sm.max_blocks == 2);
  CHECK(gpu.sm.max_block_threads == 128);
  CHECK(gpu.sm.registers == 8192);
  CHECK(gpu.sm.register_granule == 512);
  CHECK(gpu.sm.max_registers == 100);
  CHECK(gpu.sm.issue == 0.5);
  CHECK(gpu.sm.load_store_lanes == 32);
  CHECK(gpu.sm.double_lanes == 16U);
  CHECK(gpu.sm.l1_banks == 8);
  CHECK(gpu.sm.l1_bank == 4);
  CHECK(gpu.sm.tag_lines == 1.5);
  CHECK(gpu.sm.shared.per_block == 1024);
  CHECK(gpu.sm.shared.reserved == 64);
  CHECK(gpu.sm.shared.granule == 128);
  CHECK(gpu.sm.shared.carved_from_l1);
  CHECK(gpu.sm.shared.steps == std::vector<std::uint64_t>{0, 1024, 2048});
  CHECK(gpu.sm.shared.banks == 16);
  CHECK(gpu.sm.shared.bank == 8);
  CHECK(gpu.sm.shared.bandwidth->value == 128);
  CHECK(gpu.dies == 2);
  REQUIRE(gpu.caches.size() == 3);
  CHECK(gpu.caches[0].sector == 64);
  const GpuCache& l2 = gpu.caches[1];
  CHECK(l2.size == 65536);
  CHECK(l2.usable == 32768U);
  CHECK(l2.ways == 8);
  CHECK(l2.line == 128);
  CHECK(l2.sector == 64);
  CHECK(l2.scope == CacheScope::die);
  CHECK_FALSE(l2.write_back);
  CHECK_FALSE(l2.allocate);
  CHECK(l2.partitions == 2);
  CHECK(l2.duplicated);
  CHECK(l2.bandwidth->value == 64);
  CHECK(l2.measured.at("scale").value == 3e9);
  CHECK(l2.latency == 200.0);
  CHECK(l2.far_latency == 300.0);
  CHECK(gpu.caches[2].memory_side);
  CHECK(machine.warnings == std::vector<std::string>{"L2: 8 ways are assumed, not known"});
  CHECK(gpu.memory.name == "GDDR");
  CHECK(gpu.memory.spec->value == 9e9);
  CHECK(gpu.memory.measured.at("read").value == 8e9);
  CHECK(gpu.memory.latency->value == 300e-9);
  CHECK(gpu.memory.fetch == 32);
  CHECK(gpu.memory.store == 64);
  CHECK(gpu.rates.vector.at("fp16").value == 4e12);
  CHECK(gpu.rates.tensor.at("bf16").value == 8e12);
  CHECK(gpu.pages.page == 65536);
  CHECK(gpu.pages.in_reach == 7U);
  CHECK(gpu.overlap == 0);
  CHECK(gpu.launch->value == 2e-6);
  CHECK(machine.layout_gap == 0);
  CHECK(machine.sources.at("clock") == "a data sheet");
}

TEST_CASE("values of a GPU can be overridden by their path") {
  CHECK(gpu_with({"sm.count=40"}).sm.count == 40);
  CHECK(gpu_with({"caches.L2.size=1 MiB"}).caches[1].size == 1 << 20);
  CHECK(gpu_with({"memory.measured.read=900 GB/s"}).memory.measured.at("read").value == 900e9);
}

TEST_CASE("keys of the other kind of machine are refused") {
  CHECK(wrong({"cores=4"}) == "cores: makes sense only in a file of kind: cpu");
  CHECK(wrong({"tlb=[]"}) == "tlb: makes sense only in a file of kind: cpu");
  CHECK(wrong({"overlap={serial: []}"}) == "overlap: expected a value, found a list or map");
  CHECK(wrong({"caches.L2.role=victim"}).find("caches.L2.role: unknown key") == 0);
  CHECK(mistakes({"dies=2"}) == "dies: makes sense only in a file of kind: gpu");
  CHECK(mistakes({"sm.count=80"}) == "sm: makes sense only in a file of kind: gpu");
}

TEST_CASE("mistakes of multiprocessors") {
  CHECK(wrong({"sm.warp=16"}) == "sm.warp: expected 32 or 64, found 16");
  CHECK(wrong({"sm.count=0"}) == "sm.count: '0': expected a whole number from 1 to 4096");
  CHECK(wrong({"sm.max_threads=100"}) == "sm.max_threads: 100 threads are not a multiple of the warp of 32");
  CHECK(wrong({"sm.max_block_threads=256"}) == "sm.max_block_threads: more than the 128 threads of an SM");
  CHECK(wrong({"sm.registers=31", "sm.register_granule=1"}) == "sm.registers: not even one for each thread of a warp");
  CHECK(wrong({"sm.register_granule=8192"}) == "sm.register_granule: more than the 4096 registers of an SM");
  CHECK(wrong({"sm.l1_bank=3 B"}) == "sm.l1_bank: '3 B': expected a power of two from 4 B to 256 B");
  CHECK(wrong({"sm.shared.per_block=3 KiB"}) == "sm.shared.per_block: expected 0 B to 2048 B, found 3072 B");
  CHECK(wrong({"sm.shared.granule=0 B"}) == "sm.shared.granule: expected 1 B to 16777216 B, found 0 B");
  CHECK(wrong({"sm.shared.size=1 GiB"}).find("sm.shared.size: expected 0 B to 16777216 B") == 0);
  CHECK(wrong({"sm.shared.from_l1=true", "sm.shared.size=4 KiB"}) ==
        "shared memory would leave nothing of L1 that it is carved from");
  CHECK(wrong({"sm.shared.from_l1=true", "sm.shared.steps=[1 KiB, 0 B]"}) ==
        "sm.shared.steps: expected an ascending list of sizes up to the size of the shared memory");
  CHECK(wrong({"sm.shared.steps=[0 B, 2 KiB]"}) == "sm.shared.steps: makes sense only with from_l1: true");
  CHECK(wrong({"dies=3"}) == "dies: 4 SMs cannot be divided among 3 dies");
}

TEST_CASE("mistakes of a GPU's caches") {
  CHECK(wrong({"caches=[]"}) == "caches: expected a list of 1 to 4 caches, from the SM outward");
  CHECK(wrong({"caches.L2.line=512 B"}) == "caches.L2.line: '512 B': expected a power of two from 4 B to 256 B");
  CHECK(wrong({"caches.L2.sector=24 B"}) == "caches.L2.sector: '24 B': expected a power of two from 4 B to 256 B");
  CHECK(wrong({"caches.L2.sector=256 B"}) == "caches.L2.sector: larger than the line of 128 B");
  CHECK(wrong({"caches.L2.line=256 B", "caches.L2.sector=4 B"}) == "caches.L2.sector: more than 8 in a line of 256 B");
  CHECK(wrong({"caches.L2.size=1000 B"}) == "caches.L2.size: less than the 1024 B of one set");
  CHECK(wrong({"caches.L2.usable=1 B"}) == "caches.L2.usable: less than the 1024 B of one set");
  CHECK(wrong({"caches.L2.usable=1 MiB"}) == "caches.L2.usable: more than the size");
  CHECK(wrong({"caches.L2.ways=8192"}) == "caches.L2.ways: '8192': expected a whole number from 1 to 4096");
  CHECK(wrong({"caches.L1.scope=gpu"}) == "caches.L1.scope: the first cache belongs to one SM: expected sm");
  CHECK(wrong({"caches.L2.scope=sm"}).find("caches.L2.scope: only the first cache belongs to one SM") == 0);
  CHECK(wrong({"caches.L2.scope=die", "caches.L2.memory_side=true"}) ==
        "caches.L2.memory_side: shared by all dies: expected scope: gpu");
  CHECK(wrong({"caches.L2.duplicated=true"}) == "caches.L2.duplicated: makes sense only with several partitions");
  CHECK(wrong({"caches.L2.name=L1"}) == "two caches with the name L1");
  CHECK(wrong({"caches.L2.name=HBM"}) == "the cache has the name of the memory, HBM");
  CHECK(wrong({"caches.L1.sector=128 B", "caches.L2.line=64 B"}) == "L2 has lines smaller than what L1 fills at once");
  CHECK(wrong({"caches.L2.measured.copy=1 GB/s"}).find("caches.L2.measured.copy: unknown key") == 0);
}

TEST_CASE("no GPU can exhaust the memory of the simulator") {
  CHECK(wrong({"caches.L2.size=9 GiB"}) == "the caches up to L2 hold more than 2^26 lines, which cannot be simulated");
  CHECK(wrong({"sm.count=4096", "caches.L1.size=3 MiB"}) ==
        "the caches up to L1 hold more than 2^26 lines, which cannot be simulated");
  CHECK(wrong({"caches.L2.size=8000000000 GiB"}) ==
        "the caches up to L2 hold more than 2^26 lines, which cannot be simulated");
}

TEST_CASE("mistakes of a GPU's memory, rates and times") {
  CHECK(wrong({"memory.latency=0 ns"}).find("memory.latency: '0 ns': must be above zero") == 0);
  CHECK(wrong({"memory.fetch=48 B"}) == "memory.fetch: '48 B': expected a power of two from 4 B to 256 B");
  CHECK(wrong({"memory.bandwidth={}"}).find("memory.bandwidth: unknown key") == 0);
  CHECK(wrong({"rates.vector.fp63=1 TFLOP/s"}) == "rates.vector.fp63: unknown key (did you mean 'fp64'?)");
  CHECK(wrong({"pages.size=contiguous"}) == "pages.size: expected the size of a page such as 2 MiB");
  CHECK(wrong({"overlap=1.5"}) == "overlap: '1.5': expected a number from 0 to 1");
}
