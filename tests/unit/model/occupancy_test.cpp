#include "model/occupancy.hpp"

#include "support/catch.hpp"

using namespace mansard;

namespace {

Gpu v100() {
  Gpu gpu;
  gpu.sm.shared.size = gpu.sm.shared.per_block = 96 * 1024;
  gpu.sm.shared.carved_from_l1 = true;
  GpuCache l1;
  l1.size = 128 * 1024;
  l1.scope = CacheScope::sm;
  gpu.caches.push_back(l1);
  return gpu;
}

Occupancy of(std::uint32_t threads, std::uint32_t registers, std::uint64_t shared = 0) {
  return occupancy_of(v100(), {threads, registers, false, shared}, {"test"});
}

std::string refusal(std::uint32_t threads, std::uint32_t registers, std::uint64_t shared) {
  try {
    of(threads, registers, shared);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("what limits the blocks of a multiprocessor") {
  CHECK(of(256, 32).blocks == 8);
  CHECK(of(256, 32).limited_by == "threads");
  CHECK(of(32, 16).blocks == 32);
  CHECK(of(32, 16).limited_by == "blocks");
  CHECK(of(1024, 64).blocks == 1);
  CHECK(of(1024, 64).limited_by == "registers");
  CHECK(of(1024, 64).share == 0.5);
  CHECK(of(128, 32, 40 * 1024).blocks == 2);
  CHECK(of(128, 32, 40 * 1024).limited_by == "shared memory");
}

TEST_CASE("registers are allotted to warps in 256") {
  // 33 registers of 32 threads are 1056, which takes 1280: 51 warps, 6 blocks of 8.
  CHECK(of(256, 33).blocks == 6);
}

TEST_CASE("a block of 33 threads takes two warps") { CHECK(of(33, 32).warps == 2 * of(33, 32).blocks); }

TEST_CASE("what does not fit is refused with its reason") {
  CHECK(refusal(2048, 32, 0).find("a block of 2048 threads: this GPU takes at most 1024") != std::string::npos);
  CHECK(refusal(32, 32, 100 * 1024).find("a block needs 100 KiB of shared memory: this GPU gives it at most 96 KiB") !=
        std::string::npos);
  CHECK(refusal(1024, 128, 0).find("are limited by registers") != std::string::npos);
}

TEST_CASE("shared memory is taken from the L1") {
  CHECK(l1_bytes(v100(), of(256, 32)) == 128 * 1024);
  CHECK(l1_bytes(v100(), of(256, 32, 8 * 1024)) == 64 * 1024);
}
