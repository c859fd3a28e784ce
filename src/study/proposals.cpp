#include "study/proposals.hpp"

#include <algorithm>
#include <limits>

#include "report/comparison.hpp"
#include "schedule/permutable.hpp"
#include "stream/lower.hpp"
#include "study/propose.hpp"

namespace mansard {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

RunRequest with(RunRequest request, const std::string& schedule) {
  request.schedule = {schedule, std::nullopt, false};
  return request;
}

PartSummary predicted(const Machine& machine, const Kernel& kernel, const Program& program) {
  return summarize(machine, kernel, program, proposed_results(machine, kernel, program), {}).total;
}

/// Blocks that are not full count as full in a prediction: what counts is the time of an update. Of schedules with
/// one bottleneck those are better that need less of everything else.
double seconds_of(const PartSummary& part, std::uint64_t updates) {
  constexpr double of_the_rest = 0.002;
  const auto seconds = predicted_seconds(part);
  if (!seconds) return never;
  double value = *seconds;
  for (const LevelSummary& level : part.levels) {
    if (level.roof.time) value += of_the_rest * level.roof.time->value;
  }
  return part.work.updates == 0 ? value : value * static_cast<double>(updates) / static_cast<double>(part.work.updates);
}

}  // namespace

Proposals::Proposals(const RunRequest& request, const TuneLists& lists, Effort& effort,
                     const std::function<void(const std::string&)>& progress)
    : request_(request),
      effort_(effort),
      progress_(progress),
      plain_(prepare(with(request, ""))),
      space_(plain_.kernel, plain_.machine.core.simd, lists) {
  const PartSummary part = predicted(plain_.machine, plain_.kernel, plain_.program);
  updates_ = part.work.updates;
  if (part.roofline.compute && part.work.flops() > 0) floor_ = part.roofline.compute->value;
}

double Proposals::predict(const Blocking& blocking) {
  const auto kernel = blocked(plain_.kernel, space_.band(), blocking);
  if (kernel) {
    const Program program =
        lower(*kernel, {request_.registers, request_.worst_branches, plain_.machine.layout_gap, request_.seed});
    return seconds_of(predicted(plain_.machine, *kernel, program), updates_);
  }
  effort_.spent += proof;
  const Prepared p = prepare(with(request_, schedule_text(blocking)));
  return seconds_of(predicted(p.machine, p.kernel, p.program), updates_);
}

double Proposals::seconds(const Point& point) {
  Blocking blocking = space_.blocking(point);
  blocking.stages.clear();  // of copies and padding layer conditions know nothing
  blocking.padded.clear();
  const std::string schedule = schedule_text(blocking);
  const auto known = seconds_.find(schedule);
  if (known != seconds_.end()) return known->second.first;
  double value = never;
  effort_.spent += look;
  if (progress_) progress_("proposing " + (schedule.empty() ? "plain" : schedule));
  try {
    value = predict(blocking);
  } catch (const InputError&) {
    // Not legal, or too complex to be proved so.
  }
  seconds_[schedule] = {value, point};
  return value;
}

bool Proposals::legal(const Point& point) {
  if (!permutable_) {
    effort_.spent += proof;
    try {
      permutable_ = permutable(plain_.kernel, space_.band());
    } catch (const InputError&) {
      permutable_ = false;
    }
  }
  if (*permutable_) return true;
  const std::string form = space_.form(point);
  const auto known = legal_.find(form);
  if (known != legal_.end()) return known->second;
  bool value = form.empty();
  if (!value) {
    effort_.spent += proof;
    try {
      const Kernel kernel =
          scheduled_kernel(plain_.workload, request_.definitions, with(request_, text(point)).schedule);
      value = true;
    } catch (const InputError&) {
    }
  }
  return legal_[form] = value;
}

/// One axis after the other, until no choice of any improves the prediction.
void Proposals::descend(Point point, std::uint64_t until) {
  constexpr double clearly = 0.999;
  double best = legal(point) ? seconds(point) : never;
  for (bool improved = true; improved;) {
    improved = false;
    for (const std::size_t axis : space_.foreseeable()) {
      const Point from = point;
      for (std::size_t choice = 0; choice < space_.choices(axis); ++choice) {
        if (effort_.spent > until) return;
        Point next = from;
        next[axis] = choice;
        const double value = seconds(next);
        if (value >= clearly * best || !legal(next)) continue;
        best = value, point = next, improved = true;
      }
    }
  }
}

std::vector<Point> Proposals::ranked() {
  // Blocking for registers pays only where several loops are unrolled: descents start with and without.
  for (const bool unrolled : {false, true}) {
    for (std::size_t order = 0; order < space_.orders(); ++order)
      descend(space_.start(order, unrolled), effort_.most / 3);
  }
  std::vector<std::pair<double, Point>> all;
  for (const auto& [schedule, proposal] : seconds_) {
    if (proposal.first < never) all.push_back(proposal);
  }
  std::ranges::sort(all);
  std::vector<Point> points;
  for (auto& [value, point] : all) points.push_back(std::move(point));
  return points;
}

}  // namespace mansard
