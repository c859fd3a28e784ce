#include "study/tune_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "schedule/step.hpp"
#include "study/run_gpu.hpp"

namespace mansard {
namespace {

constexpr double impossible = std::numeric_limits<double>::infinity();

/// "32x4" as three numbers; what is wrong with them is said when the schedule is applied.
std::array<Int, 3> counts(const Argument& argument) {
  Diagnostics ignored;
  std::array<Int, 3> result{1, 1, 1};
  const auto numbers = read_counts(argument.value, 1, std::numeric_limits<Int>::max(), argument.value_at, ignored);
  for (std::size_t d = 0; numbers && d < std::min<std::size_t>(3, numbers->size()); ++d) result[d] = (*numbers)[d];
  return result;
}

std::string shape(const std::array<Int, 3>& counts) { return fmt::format("{}x{}x{}", counts[0], counts[1], counts[2]); }

/// What can be varied of a schedule: powers of two, of which one or two change at a time.
struct Mapping {
  std::array<Int, 3> block{1, 1, 1}, fold{1, 1, 1}, coarsen{1, 1, 1};
  std::vector<Int> tiles;
  friend auto operator<=>(const Mapping&, const Mapping&) = default;
  [[nodiscard]] Int threads() const { return block[0] * block[1] * block[2]; }
};

/// The steps of a schedule with places for a mapping.
class Template {
 public:
  explicit Template(std::vector<StepCall> steps) : steps_(std::move(steps)) {
    for (const StepCall& step : steps_) {
      for (const Argument& a : step.arguments) {
        if (step.name == "tile") start_.tiles.push_back(counts(a)[0]);
        if (step.name != "gpu") continue;
        if (a.key == "block") start_.block = counts(a);
        if (a.key == "fold") start_.fold = counts(a);
        if (a.key == "coarsen") start_.coarsen = counts(a);
        if (a.key == "x" || a.key == "lanes") used_[0] = true;
        if (a.key == "y") used_[1] = true;
        if (a.key == "z") used_[2] = true;
        fixed_ = fixed_ || a.key == "lanes" || a.key == "grid";
        mapped_ = true;
      }
    }
  }

  [[nodiscard]] const Mapping& start() const { return start_; }
  [[nodiscard]] bool mapped() const { return mapped_; }

  [[nodiscard]] std::string text(const Mapping& m) const {
    std::string all;
    std::size_t tile = 0;
    for (const StepCall& step : steps_) {
      std::string arguments;
      const auto add = [&](const std::string& text) { arguments += (arguments.empty() ? "" : ", ") + text; };
      for (const Argument& a : step.arguments) {
        if (step.name == "gpu" && (a.key == "block" || a.key == "fold" || a.key == "coarsen")) continue;
        std::string value = a.value;
        if (step.name == "tile") value = std::to_string(m.tiles[tile++]);
        add((a.key.empty() ? "" : a.key + ": ") + value + (a.alias.empty() ? "" : " as " + a.alias));
      }
      if (step.name == "gpu") {
        add("block: " + shape(m.block));
        if (m.fold != std::array<Int, 3>{1, 1, 1}) add("fold: " + shape(m.fold));
        if (m.coarsen != std::array<Int, 3>{1, 1, 1}) add("coarsen: " + shape(m.coarsen));
      }
      all += (all.empty() ? "" : "; ") + step.name + (step.arguments.empty() ? "" : "(" + arguments + ")");
    }
    return all;
  }

  /// One value doubled or halved, or threads moved from one axis to another.
  [[nodiscard]] std::vector<Mapping> neighbours(const Mapping& m) const {
    constexpr Int most_threads = 1024, fewest_threads = 32, most_copies = 16;
    std::vector<Mapping> all;
    const auto keep = [&](const Mapping& n) {
      Int copies = 1;
      for (std::size_t d = 0; d < 3; ++d) copies *= n.fold[d] * n.coarsen[d];
      if (n.threads() >= fewest_threads && n.threads() <= most_threads && copies <= most_copies) all.push_back(n);
    };
    const auto vary = [&](auto&& value) {
      for (const bool twice : {true, false}) {
        Mapping n = m;
        Int& v = value(n);
        if (!twice && v % 2 != 0) continue;
        v = twice ? v * 2 : v / 2;
        keep(n);
      }
    };
    for (std::size_t d = 0; d < 3; ++d) {
      if (!used_[d]) continue;
      for (std::size_t e = 0; e < 3; ++e) {
        if (e == d || !used_[e] || m.block[d] % 2 != 0) continue;
        Mapping n = m;
        n.block[d] /= 2;
        n.block[e] *= 2;
        keep(n);
      }
      vary([d](Mapping& n) -> Int& { return n.block[d]; });
      if (fixed_) continue;
      vary([d](Mapping& n) -> Int& { return n.fold[d]; });
      vary([d](Mapping& n) -> Int& { return n.coarsen[d]; });
    }
    for (std::size_t t = 0; t < m.tiles.size(); ++t) vary([t](Mapping& n) -> Int& { return n.tiles[t]; });
    return all;
  }

 private:
  std::vector<StepCall> steps_;
  Mapping start_;
  std::array<bool, 3> used_{};
  bool fixed_ = false;  ///< lanes or a grid: what a thread does is given
  bool mapped_ = false;
};

std::vector<StepCall> steps_of(const RunRequest& request) {
  const WorkloadFile workload = load_workload(request.workload);
  std::vector<StepCall> steps;
  for (const SourceText& text : schedule_texts(workload, gpu_schedule(request, workload))) {
    for (StepCall& call : parse_schedule(text)) steps.push_back(std::move(call));
  }
  return steps;
}

class Search {
 public:
  Search(const RunRequest& request, const Machine& machine, const TuneOptions& options)
      : request_(request), machine_(machine), options_(options), template_(steps_of(request)) {}

  Tuning run() {
    if (!template_.mapped()) {
      throw InputError({"tune"},
                       "on a GPU the search starts from a mapping: the workload has none called gpu, so give one "
                       "as in --schedule 'gpu(x: i, block: 256)'");
    }
    Mapping best = template_.start();
    double least = quick(best, true);
    for (bool improved = true; improved && tried_.size() < options_.simulations * 2;) {
      improved = false;
      for (const Mapping& next : template_.neighbours(best)) {
        if (tried_.size() >= options_.simulations * 2) break;
        const double seconds = quick(next, false);
        constexpr double clearly = 0.995;
        if (seconds >= clearly * least) continue;
        least = seconds;
        best = next;
        improved = true;
        break;  // on from there
      }
    }
    return result();
  }

 private:
  Summary simulate(const Mapping& m, const GpuEffort& effort) const {
    RunRequest r = request_;
    r.schedule = {template_.text(m), std::nullopt, request_.schedule.force};
    const GpuRun run = prepare_gpu(r, machine_);
    return summarize_gpu_run(r, machine_, run, simulate_gpu_run(r, machine_, run, effort));
  }

  /// Seconds by a short simulation; for ever where the mapping is not possible.
  double quick(const Mapping& m, bool must_be_possible) {
    constexpr GpuEffort little{600'000, false};
    if (const auto known = tried_.find(m); known != tried_.end()) return known->second;
    if (options_.progress) options_.progress("simulating " + template_.text(m));
    double seconds = impossible;
    try {
      seconds = predicted_seconds(simulate(m, little).total).value_or(impossible);
    } catch (const InputError&) {
      if (must_be_possible) throw;
    }
    tried_[m] = seconds;
    return seconds;
  }

  Tuning result() {
    std::vector<std::pair<double, Mapping>> order;
    for (const auto& [m, seconds] : tried_) {
      if (seconds < impossible) order.emplace_back(seconds, m);
    }
    std::ranges::sort(order);
    if (order.size() > options_.best) order.resize(options_.best);
    const auto tuned = [&](const Mapping& m) {
      Summary summary = simulate(m, {});
      const double seconds = predicted_seconds(summary.total).value_or(impossible);
      return Tuned{{template_.text(m), std::move(summary)}, seconds, true};
    };
    Tuning tuning;
    for (const auto& [seconds, m] : order) tuning.best.push_back(tuned(m));
    std::ranges::stable_sort(tuning.best, {}, &Tuned::seconds);
    const auto start = std::ranges::find(tuning.best, template_.text(template_.start()),
                                         [](const Tuned& t) { return t.variant.name; });
    tuning.plain = start != tuning.best.end() ? start->seconds : tuned(template_.start()).seconds;
    tuning.plain_simulated = true;
    tuning.simulated = tuning.proposed = tried_.size();
    tuning.space = static_cast<double>(tried_.size());
    const auto& compute = tuning.best.front().variant.summary.total.roofline.compute;
    if (compute && compute->value > 0) tuning.floor = compute->value;
    return tuning;
  }

  const RunRequest& request_;
  const Machine& machine_;
  const TuneOptions& options_;
  Template template_;
  std::map<Mapping, double> tried_;
};

}  // namespace

Tuning tune_gpu(const RunRequest& request, const Machine& machine, const TuneOptions& options) {
  return Search(request, machine, options).run();
}

}  // namespace mansard
