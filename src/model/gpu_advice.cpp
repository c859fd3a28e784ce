#include "model/gpu_advice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "units/print.hpp"

namespace mansard {
namespace {

double as_double(std::uint64_t n) { return static_cast<double>(n); }

/// The array that wastes most of the sectors that it touches, if it wastes a third or more.
std::string uncoalesced(const GpuAdviceInput& in) {
  constexpr double wasteful = 2.0 / 3;
  constexpr double worth_saying = 0.05;  // of everything that is touched
  double all = 0;
  for (const ArrayRequests& r : in.result.requests.arrays) all += as_double(r.load_sectors + r.store_sectors);
  std::string text;
  const double sector = in.machine.gpu->caches.front().sector;
  double most = worth_saying * all * sector;
  for (std::size_t a = 0; a < in.result.requests.arrays.size(); ++a) {
    const ArrayRequests& r = in.result.requests.arrays[a];
    if (r.load_sectors + r.store_sectors <= 2 * (r.loads + r.stores)) continue;  // all threads take one element
    const double touched = as_double(r.load_sectors + r.store_sectors) * sector;
    const double wasted = touched - as_double(r.distinct_bytes);
    if (touched <= 0 || as_double(r.distinct_bytes) / touched > wasteful || wasted < most) continue;
    most = wasted;
    text = fmt::format(
        "coalescing first: of the sectors of {} only {:.0f} % are used; let neighbouring threads (x) take "
        "neighbouring elements",
        in.program.regions[a].name, 100 * as_double(r.distinct_bytes) / touched);
  }
  return text;
}

/// Memory traffic over each array moved once in each direction that it moves in.
double over_compulsory(const GpuAdviceInput& in) {
  const auto& flows = in.result.nest.counters.flows.back();
  double least = 0;
  double moved = 0;
  for (std::size_t a = 0; a < flows.size(); ++a) {
    const double size = as_double(in.program.regions[a].bytes) * as_double(in.result.launches);
    const double in_bytes = as_double(flows[a].in());
    const double out_bytes = as_double(flows[a].out());
    moved += in_bytes + out_bytes;
    least += std::min(in_bytes, size) + std::min(out_bytes, size);
  }
  return least > 0 ? moved / least : 1;
}

std::string memory_advice(const GpuAdviceInput& in) {
  if (std::string text = uncoalesced(in); !text.empty()) return text;
  const double waste = over_compulsory(in);
  if (waste > 1.15) {
    return fmt::format(
        "memory moves {:.1f} times what the arrays hold: keep what neighbouring blocks share in reach, by "
        "blocks that are larger along the slow index, another block order, or a larger cache",
        waste);
  }
  if (in.time.concurrency && *in.time.concurrency < 0.9)
    return "too few bytes are in flight: more warps (fewer registers, less shared memory) or more loads a thread";
  return "every byte moves about once: fuse it with what comes before or after, or store smaller types";
}

std::string first_level_advice(const GpuAdviceInput& in) {
  const Requests& r = in.result.requests;
  if (r.shared_passes > r.shared_least + r.shared_least / 4) {
    return fmt::format(
        "shared memory takes {:.1f} times the passes that it needs: pad its rows (pad(…_shared: 1)) or let "
        "threads take strided elements (coarsen)",
        as_double(r.shared_passes) / as_double(std::max<std::uint64_t>(1, r.shared_least)));
  }
  if (std::string text = uncoalesced(in); !text.empty()) return text;
  return "the L1 binds: keep what a thread uses again in registers (fold, coarsen), or stage what a block shares into "
         "shared memory";
}

}  // namespace

std::string gpu_advice(const GpuAdviceInput& in) {
  const GpuTime& t = in.time;
  const std::string& bound = t.roofline.bound_by;
  if (bound.empty()) return "what binds is not known: the machine file gives neither bandwidths nor rates";
  if (t.launch && t.roofline.time && t.launch->value > t.roofline.time->value / 2)
    return "starting the kernels takes most of the time: fewer and larger launches";
  const Gpu& gpu = *in.machine.gpu;
  if (bound == "compute") {
    std::string text = "arithmetic binds";
    for (const Ceiling& c : t.ceilings) {
      if (c.performance && t.roofline.peak && *c.performance > *t.roofline.peak)
        text += fmt::format("; tensor units could do {}", print(*c.performance));
    }
    return text + "; smaller types and fewer operations help, more occupancy or fewer bytes do not";
  }
  if (bound == "issue")
    return "issuing instructions binds: more work for each (wider loads, fewer index computations), or more for each "
           "thread";
  if (bound == gpu.caches.front().name) return first_level_advice(in);
  if (bound == gpu.memory.name) return memory_advice(in);
  if (std::string text = uncoalesced(in); !text.empty()) return text;
  return fmt::format(
      "{} binds: stage what a block uses again into shared memory, or shape blocks so that the L1 keeps it", bound);
}

}  // namespace mansard
