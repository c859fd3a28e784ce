#include "model/occupancy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "units/print.hpp"

namespace mansard {
namespace {

constexpr std::uint32_t base_registers = 20;  // addresses, indices, constants
constexpr std::uint32_t in_flight = 16;       // loads that compilers issue before they use the first

std::uint32_t words(const StreamRef& ref) { return (ref.bytes + 3U) / 4U; }

std::uint64_t rounded_up(std::uint64_t n, std::uint64_t to) { return (n + to - 1) / to * to; }

/// Registers for elements kept over loops, and for those in flight in the longest body.
struct Values {
  std::uint32_t kept = 0, loaded = 0;

  void scan(std::span<const StreamNode> nodes, bool is_hoisted) {
    for (const StreamNode& node : nodes) {
      if (const auto* guard = std::get_if<StreamGuard>(&node.is)) scan(guard->body, is_hoisted);
      if (const auto* loop = std::get_if<StreamLoop>(&node.is)) {
        if (loop->role == GpuRole::together) continue;
        scan(loop->before, true);
        scan(loop->body, false);
      }
      const auto* body = std::get_if<Body>(&node.is);
      if (body == nullptr) continue;
      std::uint32_t here = 0;
      std::uint32_t loads = 0;
      for (const StreamRef& ref : body->refs) {
        if (ref.kind != Kind::load) continue;
        if (is_hoisted) kept += words(ref);
        if (!is_hoisted && ++loads <= in_flight) here += words(ref);
      }
      loaded = std::max(loaded, here);
    }
  }
};

}  // namespace

BlockNeeds needs_of(const Program& program, const Launch& launch) {
  BlockNeeds needs;
  needs.threads = launch.threads_per_block();
  Values values;
  values.scan(launch.thread, false);
  needs.registers = launch.mapping->registers.value_or(base_registers + values.kept + values.loaded);
  needs.registers_are_estimated = !launch.mapping->registers.has_value();
  std::vector<bool> used(program.regions.size());
  visit_bodies(program.nests[launch.nest].nodes, [&](const Body& body) {
    for (const StreamRef& ref : body.refs) used[ref.array] = true;
  });
  for (std::size_t a = 0; a < used.size(); ++a) {
    if (used[a] && program.regions[a].shared) needs.shared += program.regions[a].bytes;
  }
  return needs;
}

Occupancy occupancy_of(const Gpu& gpu, const BlockNeeds& needs, const Position& at) {
  const Multiprocessor& sm = gpu.sm;
  if (needs.threads > sm.max_block_threads)
    throw InputError(
        at, fmt::format("a block of {} threads: this GPU takes at most {}", needs.threads, sm.max_block_threads));
  if (needs.shared > sm.shared.per_block) {
    throw InputError(at, fmt::format("a block needs {} of shared memory: this GPU gives it at most {}",
                                     print_size(needs.shared), print_size(sm.shared.per_block)));
  }
  const std::uint32_t warps = (needs.threads + sm.warp - 1) / sm.warp;
  // What a thread cannot have is spilled to memory, which is not modelled.
  const std::uint32_t registers = std::min(needs.registers, sm.max_registers);
  const std::uint64_t of_warp = rounded_up(std::uint64_t{registers} * sm.warp, sm.register_granule);
  const std::uint64_t shared =
      needs.shared == 0 ? sm.shared.reserved : rounded_up(needs.shared + sm.shared.reserved, sm.shared.granule);
  Occupancy result;
  result.needs = needs;
  const auto limit = [&](std::uint64_t blocks, const char* by) {
    if (!result.limited_by.empty() && blocks >= result.blocks) return;
    result.blocks = static_cast<std::uint32_t>(blocks);
    result.limited_by = by;
  };
  limit(sm.max_threads / (warps * sm.warp), "threads");
  limit(sm.max_blocks, "blocks");
  if (of_warp > 0) limit(sm.registers / of_warp / warps, "registers");
  if (shared > 0) limit((sm.shared.size) / shared, "shared memory");
  if (result.blocks == 0) {
    throw InputError(
        at, fmt::format("no block fits on a multiprocessor: {} threads of {} registers and {} of shared memory "
                        "are limited by {}",
                        needs.threads, registers, print_size(needs.shared), result.limited_by));
  }
  result.warps = result.blocks * warps;
  result.share = static_cast<double>(result.warps) * sm.warp / sm.max_threads;
  return result;
}

std::uint64_t l1_bytes(const Gpu& gpu, const Occupancy& occupancy) {
  const GpuCache& first = gpu.caches.front();
  std::uint64_t bytes = first.usable.value_or(first.size);
  if (gpu.sm.shared.carved_from_l1) {
    std::uint64_t taken = occupancy.blocks * (occupancy.needs.shared + gpu.sm.shared.reserved);
    const std::vector<std::uint64_t>& steps = gpu.sm.shared.steps;
    const auto step = std::ranges::lower_bound(steps, taken);
    if (step != steps.end()) taken = *step;
    const std::uint64_t least = std::uint64_t{first.line} * first.ways;
    bytes = std::min(bytes, std::max(first.size - std::min(taken, first.size), least));
  }
  return bytes;
}

}  // namespace mansard
