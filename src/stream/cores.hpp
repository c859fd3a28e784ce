// Several cores run a program: loops marked by parallel(…) are shared among them, everything else is core 0's. The one
// place that knows the order in which cores take turns.
#pragma once

#include <functional>
#include <vector>

#include "stream/shape.hpp"
#include "stream/turns.hpp"
#include "stream/walker.hpp"

namespace mansard {

/// Receives the batches of all cores in the order of their turns.
using CoreSink = std::function<void(std::uint32_t core, const Batch& batch)>;

class CoresWalker;

/// Steps that all cores which are not done take together: laps (one iteration of the shared loop each) or rounds
/// (one turn each).
class CommonSteps {
 public:
  /// False if the cores are not at the start of a step together then, because their iterations differ in length: the
  /// walker goes on from there.
  bool run(std::uint64_t steps);
  /// From here …
  void mark();
  /// … to here, `steps` were run: the same happens `times` more.
  void repeat(std::uint64_t steps, std::uint64_t times);
  [[nodiscard]] bool are_laps() const { return laps_; }

 private:
  friend class CoresWalker;
  CommonSteps(CoresWalker& walker, bool laps) : walker_(walker), laps_(laps) {}
  CoresWalker& walker_;
  bool laps_;
  std::vector<std::vector<std::uint64_t>> marked_;  // [core] executions
};

/// Takes over steps, to skip those whose effect it knows.
class StepHook {
 public:
  virtual ~StepHook() = default;
  [[nodiscard]] virtual std::uint32_t line_bytes() const = 0;
  /// `count` steps lie ahead in which, whenever `period` of them are done, the addresses of all cores have moved by
  /// `lines` cache lines. The hook runs some or all of them, at least one, and repeats others; what it leaves, the
  /// walker runs. Rounds are offered within laps that are being run.
  virtual void steps(std::uint64_t count, std::uint64_t period, Int lines, CommonSteps& steps) = 0;
};

/// Cores take turns (see Turns), round robin, until all are done; then core 0 goes on. A shared loop inside a shared
/// loop is not shared again. What is hoisted out of a shared loop runs once for each core that gets an iteration.
class CoresWalker {
 public:
  CoresWalker(const Program& program, std::uint32_t cores, StepHook* hook = nullptr);

  void walk(const Nest& nest, const CoreSink& sink);

  /// How often each body ran on all cores since construction or the last reset, by Body::id.
  [[nodiscard]] std::vector<std::uint64_t> executions() const;
  void reset_executions();

 private:
  friend class CommonSteps;
  void serial(std::span<const StreamNode> nodes);
  void serial(const StreamLoop& loop);
  void share(const StreamLoop& loop);
  void round();
  void rounds();
  bool offer(const Stretch& ahead, bool laps);
  bool run_laps(std::uint64_t laps);
  /// Steps ahead that move all cores alike; `to` counts from here.
  [[nodiscard]] Stretch common_laps(const std::vector<Stretch>& stretches) const;
  [[nodiscard]] Stretch common_rounds();
  [[nodiscard]] bool done() const;
  [[nodiscard]] bool between() const;

  StepHook* hook_;
  std::optional<ShapeFinder> shapes_;
  std::vector<Walker> walkers_;  // [core]
  std::vector<Sink> sinks_;      // [core]
  std::vector<Turns> turns_;     // of the cores that share the present loop
};

/// The nests of a program that no core but core 0 has a part in.
std::vector<std::string> serial_nests(const Program& program);

}  // namespace mansard
