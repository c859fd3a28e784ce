#include "model/gpu_time.hpp"

#include <algorithm>
#include <cmath>

namespace mansard {
namespace {

double as_double(std::uint64_t n) { return static_cast<double>(n); }

/// Arithmetic instructions of threads, after contraction to FMA.
struct Arithmetic {
  double instructions = 0, warps = 0;
  double unfused = 0;  ///< instructions where products and sums are not contracted
  bool slow = false;   ///< divisions, square roots, calls

  Arithmetic(const Nest& nest, const Requests& requests) {
    visit_bodies(nest.nodes, [&](const Body& body) {
      const FlopCount& c = body.work.contracted;
      const double each = c.add + c.mul + c.fma + c.div + c.sqrt;
      instructions += each * as_double(requests.lanes[body.id]);
      warps += each * as_double(requests.warps[body.id]);
      unfused += body.work.flops.flops() * as_double(requests.lanes[body.id]);
      slow = slow || c.div + c.sqrt + c.call > 0;
    });
  }
};

/// The widest floating-point type that the nest stores or loads.
std::string type_of(const Kernel& kernel, const Nest& nest) {
  std::uint32_t widest = 0;
  visit_bodies(nest.nodes, [&](const Body& body) {
    for (const StreamRef& ref : body.refs) {
      if (is_float(kernel.arrays[ref.array].type)) widest = std::max<std::uint32_t>(widest, ref.bytes);
    }
  });
  return widest == 4 ? "fp32" : widest == 2 ? "fp16" : "fp64";
}

/// What the bytes in flight can fetch in a second, combined with what the memory can do at most: BW = (lat^-3 +
/// max^-3)^(-1/3). The measured bandwidth is that of a full GPU whose threads wait for 8 B each, so `max` is what it
/// would be without that.
double with_concurrency(double measured, double possible, double benchmark) {
  const double most = std::pow(measured, -3) - std::pow(benchmark, -3);
  if (most <= 0) return measured;
  return std::pow(std::pow(possible, -3) + most, -1.0 / 3);
}

}  // namespace

std::optional<BytesPerSecond> mixed_bandwidth(const std::map<std::string, BytesPerSecond>& measured, double read,
                                              std::string& mix) {
  struct Point {
    const char* name;
    double read;
  };
  constexpr Point points[] = {{"init", 0}, {"scale", 0.5}, {"read", 1}};
  const Point* below = nullptr;
  const Point* above = nullptr;
  for (const Point& p : points) {
    if (!measured.contains(p.name)) continue;
    if (p.read <= read) below = &p;
    if (p.read >= read && above == nullptr) above = &p;
  }
  if (below == nullptr) below = above;
  if (above == nullptr) above = below;
  if (below == nullptr) return std::nullopt;
  mix = below == above ? below->name : std::string(below->name) + " and " + above->name;
  const BytesPerSecond low = measured.at(below->name);
  if (below == above) return low;
  const double share = (read - below->read) / (above->read - below->read);
  return low + (measured.at(above->name) - low) * share;
}

namespace {

/// The times of one nest, each on its own.
class Times {
 public:
  Times(const Machine& machine, const Nest& nest, const GpuNestResult& result)
      : gpu_(*machine.gpu), nest_(nest), result_(result), cycles_(gpu_.sm.count * machine.clock.value) {
    const double per_sm = as_double(result.blocks) / gpu_.sm.count;
    time_.waves = per_sm / result.occupancy.blocks;
    time_.tail = per_sm > 0 ? std::ceil(per_sm) / per_sm : 1;  // the busiest SM over the average
  }

  GpuTime run(const Machine& machine, const Kernel& kernel) {
    time_.type = type_of(kernel, nest_);
    const std::size_t last = gpu_.caches.size();
    for (std::size_t b = 0; b <= last; ++b) {
      RooflineLevel level;
      level.level = machine.level(b);
      level.boundary = machine.boundary(b);
      level.bytes = Bytes(as_double(bytes(b)));
      level.time = b == 0 ? first_level() : shared_level(b);
      time_.roofline.levels.push_back(std::move(level));
    }
    arithmetic();
    add_up(machine);
    return std::move(time_);
  }

 private:
  [[nodiscard]] std::uint64_t bytes(std::size_t boundary) const {
    return result_.nest.counters.boundary(boundary).total();
  }

  [[nodiscard]] std::uint64_t bytes_in(std::size_t boundary) const {
    return result_.nest.counters.boundary(boundary).in();
  }

  /// Cycles of the L1 as measured over those of its full width.
  [[nodiscard]] double slower_l1() const {
    const auto& measured = gpu_.caches.front().bandwidth;
    return measured ? std::max(1.0, 4.0 * gpu_.sm.load_store_lanes / measured->value) : 1;
  }

  /// Wavefronts of the L1, at the bandwidth that was measured where there is one, and the passes of shared memory,
  /// which take the same path where it is carved from the L1.
  std::optional<Seconds> first_level() {
    double cycles = result_.requests.l1_cycles * slower_l1();
    const SharedMemory& shared = gpu_.sm.shared;
    const double pass = shared.bandwidth ? shared.banks * shared.bank / shared.bandwidth->value : 1;
    const double passes = as_double(result_.requests.shared_passes) * pass;
    if (passes > 0) time_.shared = Seconds(passes * time_.tail / cycles_);
    if (shared.carved_from_l1) cycles += passes;
    return Seconds(cycles * time_.tail / cycles_);
  }

  std::optional<Seconds> shared_level(std::size_t b) {
    const bool memory = b == gpu_.caches.size();
    const auto& measured = memory ? gpu_.memory.measured : gpu_.caches[b].measured;
    const Flow flow = result_.nest.counters.boundary(b);
    if (flow.total() == 0) return Seconds(0);
    std::string mix;
    std::optional<BytesPerSecond> bandwidth =
        mixed_bandwidth(measured, as_double(flow.in()) / as_double(flow.total()), mix);
    if (memory && !bandwidth && gpu_.memory.spec) {
      bandwidth = gpu_.memory.spec;
      mix = "no kernel, but specified";
    }
    if (memory) time_.roofline.memory_mix = mix;
    if (!bandwidth) return std::nullopt;
    if (memory) bandwidth = BytesPerSecond(fetchable(bandwidth->value));
    return Bytes(as_double(flow.total())) / *bandwidth;
  }

  /// Bytes of sectors that all loads ask for.
  [[nodiscard]] double asked() const {
    double sectors = 0;
    for (const ArrayRequests& a : result_.requests.arrays) sectors += as_double(a.load_sectors);
    return sectors * gpu_.caches.front().sector;
  }

  /// Seconds that a byte asked for is on its way, in the mean over those that come from each level.
  [[nodiscard]] double mean_latency(double asked_for) const {
    double sum = 0;
    double left = asked_for;
    for (std::size_t k = 0; k < gpu_.caches.size(); ++k) {
      const double beyond = std::min(left, as_double(bytes_in(k + 1)));
      if (gpu_.caches[k].latency) sum += (left - beyond) * *gpu_.caches[k].latency * gpu_.sm.count / cycles_;
      left = beyond;
    }
    return (sum + left * gpu_.memory.latency->value) / asked_for;
  }

  /// Little's law: what the loads in flight can fetch, of which those that hit a cache are done sooner.
  double fetchable(double bandwidth) {
    const double loads = as_double(bytes_in(0));
    const double all = asked();
    if (!gpu_.memory.latency || loads <= 0 || all <= 0 || bytes_in(gpu_.caches.size()) == 0) return bandwidth;
    const double threads =
        static_cast<double>(gpu_.sm.count) * std::min<double>(1, time_.waves) * result_.occupancy.warps * gpu_.sm.warp;
    const double in_flight = threads * result_.thread_bytes * all / loads;
    const double from_memory = std::min(1.0, as_double(bytes_in(gpu_.caches.size())) / all);
    constexpr double of_benchmark = 8;  // bytes that each thread of the calibrating streams waits for
    const double benchmark =
        static_cast<double>(gpu_.sm.count) * gpu_.sm.max_threads * of_benchmark / gpu_.memory.latency->value;
    const double possible =
        std::min(bandwidth, with_concurrency(bandwidth, in_flight * from_memory / mean_latency(all), benchmark));
    time_.concurrency = possible / bandwidth;
    return possible;
  }

  void arithmetic() {
    const Arithmetic work(nest_, result_.requests);
    const auto rate = gpu_.rates.vector.find(time_.type);
    const Flops flops(as_double(result_.nest.work.flops()));
    if (rate != gpu_.rates.vector.end()) {
      time_.roofline.peak = rate->second;
      time_.roofline.compute = Seconds(work.instructions * 2 / rate->second.value * time_.tail);
      if (work.unfused > work.instructions && flops.value > 0) {
        const Seconds unfused(work.unfused * 2 / rate->second.value);
        time_.ceilings.push_back({"no FMA", unfused, flops / unfused});
      }
    }
    const auto tensor = gpu_.rates.tensor.find(time_.type);
    if (tensor != gpu_.rates.tensor.end() && flops.value > 0) {
      const Seconds at_tensor = flops / tensor->second;
      time_.ceilings.push_back({"tensor " + time_.type, at_tensor, flops / at_tensor});
    }
    if (gpu_.sm.issue) {
      const double instructions = work.warps + as_double(result_.requests.instructions());
      time_.issue = Seconds(instructions / *gpu_.sm.issue * time_.tail / cycles_);
    }
    if (work.slow) time_.missing = "divisions, square roots and calls are taken for one instruction each";
  }

  /// What of a level's time is beyond that of a stream of the next level's bytes.
  double excess(std::size_t b) const {
    const RooflineLevel& level = time_.roofline.levels[b];
    if (!level.time || level.bytes <= Bytes(0)) return 0;
    if (b + 1 == time_.roofline.levels.size()) return level.time->value;
    const double next = time_.roofline.levels[b + 1].bytes.value;
    // The L1 moves a stream of doubles at the width that it has for them; others move it like what they move now.
    const Multiprocessor& sm = gpu_.sm;
    const double width = 4.0 * sm.double_lanes.value_or(sm.load_store_lanes) / slower_l1();
    const double stream = b == 0 ? next / width / cycles_ : level.time->value * next / level.bytes.value;
    return std::max(0.0, level.time->value - stream);
  }

  void add_up(const Machine& machine) {
    Roofline& r = time_.roofline;
    struct Term {
      std::string name;
      double time, excess;
    };
    std::vector<Term> terms;
    for (std::size_t b = 0; b < r.levels.size(); ++b) {
      if (r.levels[b].time) terms.push_back({r.levels[b].level, r.levels[b].time->value, excess(b)});
    }
    if (r.compute) {
      // The streams that memory was measured with do one product for every 16 B.
      const double streams = r.levels.back().bytes.value / 16 * 2 / r.peak->value;
      terms.push_back({"compute", r.compute->value, std::max(0.0, r.compute->value - streams)});
    }
    if (time_.issue) terms.push_back({"issue", time_.issue->value, 0});
    const Flops flops(as_double(result_.nest.work.flops()));
    for (RooflineLevel& level : r.levels) {
      if (level.bytes <= Bytes(0)) continue;
      if (level.time && level.time->value > 0) level.bandwidth = level.bytes / *level.time;
      level.intensity = flops / level.bytes;
      if (level.bandwidth && flops.value > 0) {
        level.roof = *level.intensity * *level.bandwidth;
        if (r.peak) level.roof = std::min(*level.roof, *r.peak);
      }
    }
    if (terms.empty()) return;
    const auto most = std::ranges::max_element(terms, {}, &Term::time);
    double others = 0;
    for (auto t = terms.begin(); t != terms.end(); ++t) {
      if (t != most) others += std::min(t->excess, t->time);
    }
    time_.at_best = Seconds(most->time);
    double total = most->time + gpu_.overlap * others;
    if (machine.launch) {
      time_.launch = Seconds(machine.launch->value * as_double(result_.launches));
      total += time_.launch->value;
    }
    r.bound_by = most->name;
    r.time = Seconds(total);
    if (total <= 0) return;
    if (flops.value > 0) r.performance = flops / *r.time;
    r.updates_per_second = as_double(result_.nest.work.updates) / total;
  }

  const Gpu& gpu_;
  const Nest& nest_;
  const GpuNestResult& result_;
  double cycles_;  ///< of all multiprocessors in a second
  GpuTime time_;
};

}  // namespace

GpuTime gpu_time(const Machine& machine, const Kernel& kernel, const Nest& nest, const GpuNestResult& result) {
  return Times(machine, nest, result).run(machine, kernel);
}

GpuTime added(std::span<const GpuTime> nests, const Work& total) {
  GpuTime sum;
  if (nests.empty()) return sum;
  const auto slowest =
      std::ranges::max_element(nests, {}, [](const GpuTime& t) { return t.roofline.time.value_or(Seconds(0)).value; });
  sum = *slowest;
  std::vector<Roofline> rooflines;
  std::vector<std::vector<Ceiling>> ceilings;
  const auto add = [](std::optional<Seconds>& to, const std::optional<Seconds>& more) {
    if (more) to = to.value_or(Seconds(0)) + *more;
  };
  sum.shared = sum.issue = sum.launch = sum.at_best = std::nullopt;
  for (const GpuTime& t : nests) {
    rooflines.push_back(t.roofline);
    ceilings.push_back(t.ceilings);
    add(sum.shared, t.shared);
    add(sum.issue, t.issue);
    add(sum.launch, t.launch);
    add(sum.at_best, t.at_best);
  }
  sum.roofline = added(rooflines, total);
  sum.ceilings = added(ceilings, Flops(static_cast<double>(total.flops())));
  return sum;
}

}  // namespace mansard
