#include "study/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>

#include "report/text_table.hpp"
#include "study/propose.hpp"
#include "study/tune_space.hpp"
#include "units/print.hpp"

namespace mansard {
namespace {

constexpr double illegal = std::numeric_limits<double>::infinity();

/// Thrown to end a simulation that takes too long; caught in this file.
struct TooSlow {};

class Tuner {
 public:
  Tuner(const RunRequest& request, const TuneOptions& options)
      : request_(request), options_(options), space_(plain_kernel(request)), start_(std::chrono::steady_clock::now()) {
    request_.budget.reset();
    request_.notice = nullptr;
  }

  Tuning run() {
    result_.space = space_.size();
    descend(Point(space_.axes(), 0));
    simulate_proposals();
    refine();
    result_.proposed = proposals_.size();
    finish();
    return std::move(result_);
  }

 private:
  static Kernel plain_kernel(const RunRequest& request) {
    return scheduled_kernel(load_workload(request.workload), request.definitions, {"", std::nullopt, false});
  }
  [[nodiscard]] double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  [[nodiscard]] bool out_of_time() const { return elapsed() > options_.budget.value; }
  void say(const std::string& what, const std::string& schedule) const {
    if (options_.progress) options_.progress(fmt::format("{} {}", what, schedule.empty() ? "plain" : schedule));
  }

  RunRequest with(const std::string& schedule) const {
    RunRequest r = request_;
    r.schedule = {schedule, std::nullopt, false};
    r.band = BandRuns::never;
    return r;
  }

  /// Seconds that layer conditions predict; illegal schedules take for ever.
  double propose(const Point& point) {
    const std::string schedule = space_.schedule(point);
    const auto known = proposals_.find(schedule);
    if (known != proposals_.end()) return known->second.first;
    double seconds = illegal;
    // Proposals get at most half of the time.
    if (elapsed() < options_.budget.value / 2) {
      say("proposing", schedule);
      try {
        const RunRequest r = with(schedule);
        const Prepared p = prepare(r);
        const Summary s =
            summarize(p.machine, p.kernel, p.program, proposed_results(p.machine, p.kernel, p.program), {});
        seconds = predicted_seconds(s.total).value_or(illegal);
      } catch (const InputError&) {
        // Not legal, or too complex to be proved so.
      }
    }
    proposals_[schedule] = {seconds, point};
    return seconds;
  }

  /// One axis after the other, until no choice of any improves the prediction.
  void descend(Point point) {
    double best = propose(point);
    for (bool improved = true; improved;) {
      improved = false;
      for (const std::size_t axis : space_.by_promise()) {
        Point chosen = point;
        for (std::size_t choice = 0; choice < space_.choices(axis); ++choice) {
          Point next = point;
          next[axis] = choice;
          const double seconds = propose(next);
          constexpr double clearly = 0.999;
          if (seconds < clearly * best) best = seconds, chosen = next, improved = true;
        }
        point = chosen;
      }
    }
  }

  void simulate_proposals() {
    std::vector<std::pair<double, Point>> order;
    for (const auto& [schedule, proposal] : proposals_) {
      if (proposal.first < illegal) order.push_back(proposal);
    }
    std::ranges::sort(order);
    const std::size_t first = std::max<std::size_t>(1, options_.simulations / 2);
    for (std::size_t n = 0; n < order.size() && simulated_.size() < first; ++n) simulate_point(order[n].second);
  }

  /// Neighbours of the best so far: one step along one axis.
  void refine() {
    for (bool improved = true; improved && !found_.empty();) {
      improved = false;
      const Found best = *std::ranges::min_element(found_, {}, &Found::seconds);
      for (const std::size_t axis : space_.by_promise()) {
        for (const int step : {1, -1}) {
          if (simulated_.size() >= options_.simulations || out_of_time()) return;
          Point next = best.point;
          const auto moved = static_cast<std::int64_t>(next[axis]) + step;
          if (moved < 0 || moved >= static_cast<std::int64_t>(space_.choices(axis))) continue;
          next[axis] = static_cast<std::size_t>(moved);
          improved = simulate_point(next) < best.seconds || improved;
        }
      }
    }
  }

  double simulate_point(const Point& point) {
    const std::string schedule = space_.schedule(point);
    if (std::ranges::find(simulated_, schedule) != simulated_.end()) return illegal;
    if (out_of_time()) {
      result_.out_of_budget = true;
      return illegal;
    }
    say("simulating", schedule);
    RunRequest r = with(schedule);
    const double until = elapsed() + std::max(1.0, (options_.budget.value - elapsed()) / 3);
    r.progress = [this, until](std::uint64_t, double) {
      if (elapsed() > until) throw TooSlow{};
    };
    try {
      const Prepared p = prepare(r);
      simulated_.push_back(schedule);
      Summary s = summarize(r, p, mansard::simulate(r, p, geometry_of(p.machine)));
      const double seconds = predicted_seconds(s.total).value_or(illegal);
      found_.push_back({seconds, point, {schedule.empty() ? "plain" : schedule, std::move(s)}});
      return seconds;
    } catch (const InputError&) {
      if (schedule.empty()) throw;
    } catch (const TooSlow&) {
      result_.out_of_budget = true;
    }
    return illegal;
  }

  void finish() {
    result_.simulated = simulated_.size();
    if (found_.empty()) throw InputError({"tune"}, "no schedule could be simulated within the budget");
    std::ranges::sort(found_, {}, [](const Found& f) { return std::pair{f.seconds, f.point}; });
    for (Found& f : found_) {
      if (f.variant.name == "plain") result_.plain_known = true, result_.plain = f.variant;
    }
    for (std::size_t n = 0; n < found_.size() && n < options_.best; ++n)
      result_.best.push_back(std::move(found_[n].variant));
  }

  struct Found {
    double seconds;
    Point point;
    Variant variant;
  };

  RunRequest request_;
  const TuneOptions& options_;
  TuneSpace space_;
  std::chrono::steady_clock::time_point start_;
  std::map<std::string, std::pair<double, Point>> proposals_;
  std::vector<std::string> simulated_;
  std::vector<Found> found_;
  Tuning result_;
};

}  // namespace

Tuning tune(const RunRequest& request, const TuneOptions& options) { return Tuner(request, options).run(); }

std::string tuning_table(const Tuning& tuning) {
  const Summary& first = tuning.best.front().summary;
  std::string text = fmt::format("{} on {}: {} of {:.3g} schedules looked at, {} simulated\n", first.workload.name,
                                 first.machine.id, tuning.proposed, tuning.space, tuning.simulated);
  TextTable table({"time", "bound by", first.total.levels.back().roof.boundary + " B/update", "schedule"}, 0);
  for (const Variant& v : tuning.best) {
    const auto seconds = predicted_seconds(v.summary.total);
    const auto& bytes = v.summary.total.levels.back().bytes_per_update;
    table.add({seconds ? print(Seconds(*seconds)) : "unknown", v.summary.total.bound_by(),
               bytes ? fmt::format("{:.2f}", *bytes) : "unknown", v.name});
  }
  text += table.str();
  if (tuning.plain_known) {
    const auto plain = predicted_seconds(tuning.plain.summary.total);
    const auto best = predicted_seconds(first.total);
    if (plain && best && *best > 0)
      text += fmt::format("the program as written takes {}: the best is {:.2f} times as fast\n", print(Seconds(*plain)),
                          *plain / *best);
  }
  if (tuning.out_of_budget) text += "the budget ended the search; a larger --budget looks at more\n";
  return text;
}

}  // namespace mansard
