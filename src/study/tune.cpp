#include "study/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "stream/estimate.hpp"
#include "study/proposals.hpp"
#include "study/tune_gpu.hpp"

namespace mansard {
namespace {

class Tuner {
 public:
  Tuner(const RunRequest& request, const TuneOptions& options)
      : request_(quiet(request)),
        options_(options),
        effort_{static_cast<std::uint64_t>(options.budget.value * lookups_per_second), 0},
        proposals_(request_, options.lists, effort_, options.progress) {}

  Tuning run() {
    result_.space = proposals_.space().size();
    result_.floor = proposals_.floor();
    attempt(Point(proposals_.space().axes(), 0));  // what others are compared with, whatever the budget
    if (found_.empty()) throw InputError({"tune"}, "this machine does not say how long the program takes");
    ranked_ = proposals_.ranked();
    while (!done()) {
      const std::optional<Point> next = neighbour();
      const std::optional<Point> other = next ? next : unlike();
      if (!other) break;
      attempt(*other);
    }
    confirm();
    finish();
    return std::move(result_);
  }

 private:
  struct Found {
    double seconds;
    Point point;
    Variant variant;
    bool whole;
  };

  static RunRequest quiet(RunRequest request) {
    request.budget.reset();
    request.notice = nullptr;
    request.progress = nullptr;
    request.threads = 1;
    request.band = BandRuns::never;
    return request;
  }

  bool done() {
    constexpr double next_to = 1.003;
    if (tried_.size() >= options_.simulations) return true;
    if (!found_.empty() && result_.floor && best().seconds <= next_to * *result_.floor) return true;
    if (effort_.left() > effort_.most / 2) return false;  // the other half confirms
    return result_.out_of_budget = true;
  }
  [[nodiscard]] const Found& best() const { return *std::ranges::min_element(found_, {}, &Found::seconds); }

  /// The first proposals have unlike forms, so that those are not all one idea; then what is left of them in order.
  std::optional<Point> unlike() {
    for (const bool same_form : {false, true}) {
      for (const Point& point : ranked_) {
        if (tried(point) || (!same_form && forms_.contains(proposals_.space().form(point)))) continue;
        if (proposals_.legal(point)) return point;
      }
    }
    return std::nullopt;
  }

  /// One step from the best so far along one axis, once some proposals of forms unlike the plain one have been
  /// simulated. Nothing that layer conditions find much worse.
  std::optional<Point> neighbour() {
    constexpr std::size_t forms_first = 3;
    constexpr double hopeless = 1.3;
    if (found_.empty() || forms_.size() < 1 + std::min(forms_first, options_.simulations / 4)) return std::nullopt;
    const Point& from = best().point;
    const TuneSpace& space = proposals_.space();
    const double expected = proposals_.seconds(from);
    const auto worth = [&](const Point& point) {
      return !tried(point) && proposals_.seconds(point) <= hopeless * expected && proposals_.legal(point);
    };
    for (const std::size_t axis : space.unforeseeable()) {
      for (std::size_t choice = 0; choice < space.choices(axis); ++choice) {
        Point next = from;
        next[axis] = choice;
        if (worth(next)) return next;
      }
    }
    for (const std::size_t axis : space.foreseeable()) {
      for (const bool up : {true, false}) {
        if (up ? from[axis] + 1 == space.choices(axis) : from[axis] == 0) continue;
        Point next = from;
        up ? ++next[axis] : --next[axis];
        if (worth(next)) return next;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool tried(const Point& point) const { return tried_.contains(proposals_.text(point)); }

  void attempt(const Point& point) {
    tried_.insert(proposals_.text(point));
    forms_.insert(proposals_.space().form(point));
    simulate(point, false);
  }

  /// Large nests are first simulated in part, from cold caches, which is good enough to compare them.
  void simulate(const Point& point, bool whole) {
    const std::string schedule = proposals_.text(point);
    if (options_.progress) options_.progress("simulating " + (schedule.empty() ? "plain" : schedule));
    RunRequest request = request_;
    request.schedule = {schedule, std::nullopt, false};
    effort_.spent += Proposals::proof;
    try {
      const Prepared prepared = prepare(request);
      constexpr std::uint64_t least = std::uint64_t{1} << 20U;  // a part that says something
      const std::uint64_t part = std::max(effort_.most / 64, least);
      whole = whole || prepared.program.nests.size() > 1 ||
              2 * estimate_lookups(prepared.program, prepared.machine.caches.front().line) < static_cast<double>(part);
      request.cold = request.cold || !whole;
      request.drain = request.drain && whole;
      if (!whole || !found_.empty()) request.most_lookups = whole ? effort_.left() : part;
      const Simulation simulation = mansard::simulate(request, prepared, geometry_of(prepared.machine));
      effort_.spent += simulation.all_lookups;
      if (whole && !simulation.complete) result_.out_of_budget = true;
      if (!whole || simulation.complete)
        add(point, schedule, summarize(request, prepared, simulation, info(whole)), whole);
    } catch (const InputError&) {
      if (schedule.empty()) throw;  // else: cannot be packed so
    }
  }

  static RunInfo info(bool whole) {
    RunInfo run;
    run.exact = whole;
    return run;
  }

  void add(const Point& point, const std::string& schedule, Summary summary, bool whole) {
    const auto seconds = predicted_seconds(summary.total);
    const std::uint64_t updates = summary.total.work.updates;
    if (!seconds || updates == 0) return;
    const double all =
        whole ? *seconds : *seconds / static_cast<double>(updates) * static_cast<double>(proposals_.updates());
    std::erase_if(found_, [&](const Found& f) { return f.point == point; });
    found_.push_back({all, point, {schedule.empty() ? "plain" : schedule, std::move(summary)}, whole});
    if (schedule.empty()) result_.plain = all, result_.plain_simulated = true;
  }

  /// The best are simulated whole, until no other promises to be better.
  void confirm() {
    for (;;) {
      std::ranges::sort(found_, {}, [](const Found& f) { return std::pair{f.seconds, f.point}; });
      const auto next = std::ranges::find(found_, false, &Found::whole);
      if (next == found_.end() || effort_.left() == 0) return;
      constexpr double promising = 0.98;  // a part tells no more
      const auto whole = std::ranges::find(found_, true, &Found::whole);
      if (whole != found_.end() && next->seconds > promising * whole->seconds) return;
      const Point point = next->point;
      simulate(point, true);
      const auto same = std::ranges::find(found_, point, &Found::point);
      if (same == found_.end() || !same->whole) return;  // beyond the budget
    }
  }

  void finish() {
    result_.proposed = proposals_.count();
    result_.simulated = tried_.size();
    std::ranges::sort(found_, {}, [](const Found& f) {
      return std::tuple{!f.whole, f.seconds, f.variant.name.size(), f.point};  // the simplest of equals
    });
    for (std::size_t n = 0; n < found_.size() && n < options_.best; ++n)
      result_.best.push_back({std::move(found_[n].variant), found_[n].seconds, found_[n].whole});
  }

  RunRequest request_;
  const TuneOptions& options_;
  Effort effort_;
  Proposals proposals_;
  std::vector<Point> ranked_;
  std::set<std::string> tried_, forms_;
  std::vector<Found> found_;
  Tuning result_;
};

}  // namespace

Tuning tune(const RunRequest& request, const TuneOptions& options) {
  if (const Machine machine = machine_of(request); machine.gpu) return tune_gpu(request, machine, options);
  return Tuner(request, options).run();
}

}  // namespace mansard
