#include "study/simulate.hpp"

#include <chrono>
#include <future>
#include <memory>

#include "stream/walker.hpp"
#include "study/shares.hpp"

namespace mansard {
namespace {

std::uint64_t accesses_in(const Batch& batch) {
  if (const auto* run = std::get_if<Run>(&batch)) return run->count * run->refs.size();
  if (const auto* gather = std::get_if<Gather>(&batch))
    return gather->count * gather->refs.size() + gather->between.size();
  return std::get<std::span<const Element>>(batch).size();
}

/// Thrown and caught in this file: enough look-ups.
struct Stopped {};

/// Once in a while reports the accesses accounted for, those of skipped iterations included, or stops.
class Reporter {
 public:
  Reporter(const Program& program, const Walker& walker, const Hierarchy& hierarchy, const SimulateOptions& options)
      : walker_(walker), hierarchy_(hierarchy), options_(options), refs_(program.bodies) {
    for (const Nest& nest : program.nests) {
      visit_bodies(nest.nodes, [&](const Body& body) { refs_[body.id] = body.refs.size(); });
    }
  }
  void seen(std::uint64_t accesses) {
    const std::uint64_t interval = std::uint64_t{1} << (options_.most_lookups ? 20U : 24U);  // some tenths of a second
    since_ += accesses;
    if (since_ < interval) return;
    since_ = 0;
    if (options_.most_lookups && hierarchy_.lookups() > *options_.most_lookups) throw Stopped{};
    if (options_.progress) options_.progress(before_ + accounted());
  }
  /// The walker is about to forget its executions.
  void nest_done() { before_ += accounted(); }

 private:
  [[nodiscard]] std::uint64_t accounted() const {
    std::uint64_t accesses = 0;
    for (std::size_t b = 0; b < refs_.size(); ++b) accesses += refs_[b] * walker_.executions()[b];
    return accesses;
  }

  const Walker& walker_;
  const Hierarchy& hierarchy_;
  const SimulateOptions& options_;
  std::vector<std::uint64_t> refs_;  // [body]
  std::uint64_t since_ = 0, before_ = 0;
};

Simulation simulate_share(const Program& program, const Geometry& geometry, const SimulateOptions& options,
                          const Share& share) {
  const std::unique_ptr<Hierarchy> hierarchy = options.naive
                                                   ? make_naive(geometry, program.regions)
                                                   : make_hierarchy(geometry, program.regions, options.warp, share);
  Walker walker(program, hierarchy->loop_hook());
  Reporter reporter(program, walker, *hierarchy, options);
  const Sink sink = [&](const Batch& batch) {
    hierarchy->consume(batch);
    reporter.seen(accesses_in(batch));
  };
  const auto walk = [&](const Nest& nest) {
    walker.reset_executions();
    walker.walk(nest, sink);
    reporter.nest_done();
  };

  Simulation result;
  const auto finish = [&](const Nest& nest, const Counters& before) {
    Counters moved = hierarchy->counters() - before;
    result.nests.push_back({nest.name, walker.executions(), work_of(nest, walker.executions()), std::move(moved), {}});
  };
  std::uint64_t lookups_before = 0;
  std::size_t n = 0;
  Counters before = hierarchy->counters();
  try {
    if (!options.cold) {
      for (const Nest& nest : program.nests) walk(nest);
    }
    lookups_before = hierarchy->lookups();
    for (; n < program.nests.size(); ++n) {
      before = hierarchy->counters();
      walk(program.nests[n]);
      if (options.cold && options.drain && n + 1 == program.nests.size()) hierarchy->drain();
      finish(program.nests[n], before);
    }
  } catch (const Stopped&) {
    result.complete = false;
    if (options.cold) finish(program.nests[n], before);
  }
  result.all_lookups = hierarchy->lookups();
  result.lookups = result.all_lookups - lookups_before;
  result.dirty_left = hierarchy->dirty_lines();
  return result;
}

/// Every thread walks the whole program and simulates its share of the sets.
Simulation simulate_shares(const Program& program, const Geometry& geometry, const SimulateOptions& options) {
  const std::vector<Share> shares = shares_for_threads(geometry, options.threads);
  std::vector<std::future<Simulation>> others;
  SimulateOptions quiet = options;
  quiet.progress = {};
  for (std::size_t s = 1; s < shares.size(); ++s) {
    others.push_back(
        std::async(std::launch::async, [&, s] { return simulate_share(program, geometry, quiet, shares[s]); }));
  }
  std::vector<Simulation> parts{simulate_share(program, geometry, options, shares.front())};
  for (std::future<Simulation>& other : others) parts.push_back(other.get());
  Simulation whole = joined(std::move(parts));
  whole.threads = static_cast<unsigned>(shares.size());
  return whole;
}

}  // namespace

Simulation simulate(const Program& program, const Geometry& machine, const SimulateOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Geometry geometry = machine;
  geometry.nontemporal = stores_nontemporally(program);
  Simulation result;
  if (options.sample) {
    result = simulate_share(program, geometry, options, share_for_sample(geometry, *options.sample));
    result.spread = spread_between_samples(result);
    scale_up(result, *options.sample);
  } else if (options.threads > 1 && !options.naive) {
    result = simulate_shares(program, geometry, options);
  } else {
    result = simulate_share(program, geometry, options, Share{});
  }
  result.seconds = Seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return result;
}

}  // namespace mansard
