// The part of `tune` that needs no simulation: which schedules layer conditions prefer, and which of them are legal.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "study/run.hpp"
#include "study/tune_space.hpp"

namespace mansard {

/// What a search may cost and has cost, in look-ups of a simulation.
struct Effort {
  std::uint64_t most = 0, spent = 0;
  [[nodiscard]] std::uint64_t left() const { return spent < most ? most - spent : 0; }
};

class Proposals {
 public:
  static constexpr std::uint64_t look = 150'000;      ///< one proposal, 3 ms
  static constexpr std::uint64_t proof = 10'000'000;  ///< one proof through isl, 0.2 s

  Proposals(const RunRequest& request, const TuneLists& lists, Effort& effort,
            const std::function<void(const std::string&)>& progress);

  [[nodiscard]] const TuneSpace& space() const { return space_; }
  [[nodiscard]] std::size_t count() const { return seconds_.size(); }
  /// Seconds that layer conditions predict; infinity where they say nothing.
  double seconds(const Point& point);
  /// Does the schedule compute the same? Proved once for each form.
  bool legal(const Point& point);
  [[nodiscard]] std::string text(const Point& point) const { return schedule_text(space_.blocking(point)); }
  /// Descends from every order of the loops; all that was looked at, the least time first.
  std::vector<Point> ranked();

  [[nodiscard]] std::uint64_t updates() const { return updates_; }      ///< of the program as written
  [[nodiscard]] std::optional<double> floor() const { return floor_; }  ///< seconds of the flops at their peak

 private:
  void descend(Point point, std::uint64_t until);
  double predict(const Blocking& blocking);

  const RunRequest& request_;
  Effort& effort_;
  const std::function<void(const std::string&)>& progress_;
  Prepared plain_;
  TuneSpace space_;
  std::uint64_t updates_ = 0;
  std::optional<double> floor_;
  std::optional<bool> permutable_;
  std::map<std::string, bool> legal_;
  std::map<std::string, std::pair<double, Point>> seconds_;
};

}  // namespace mansard
