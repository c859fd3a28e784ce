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

/// Takes over laps, to skip those whose effect it knows. In a lap every core that is not done runs one iteration of the
/// shared loop.
class LapHook {
 public:
  virtual ~LapHook() = default;
  [[nodiscard]] virtual std::uint32_t line_bytes() const = 0;
  /// `count` laps lie ahead in which, whenever `period` laps are done, the addresses of all cores have moved by `lines`
  /// cache lines. The hook calls walker.run() for those that it wants to run and walker.repeat() for the others. It
  /// may leave some to the walker, but not all.
  virtual void laps(std::uint64_t count, std::uint64_t period, Int lines, CoresWalker& walker) = 0;
};

/// Cores take turns (see Turns), round robin, until all are done; then core 0 goes on. A shared loop inside a shared
/// loop is not shared again. What is hoisted out of a shared loop runs once for each core that gets an iteration.
class CoresWalker {
 public:
  CoresWalker(const Program& program, std::uint32_t cores, LapHook* hook = nullptr);

  void walk(const Nest& nest, const CoreSink& sink);

  /// How often each body ran on all cores since construction or the last reset, by Body::id.
  [[nodiscard]] std::vector<std::uint64_t> executions() const;
  void reset_executions();

  // For a LapHook, during walk():
  /// Runs so many laps; false if the cores are not all at the start of a lap then (they have iterations of different
  /// lengths): leave the rest to the walker.
  bool run(std::uint64_t laps);
  /// From here …
  void mark();
  /// … to here, `laps` laps were done: the same happens `times` more.
  void repeat(std::uint64_t laps, std::uint64_t times);

 private:
  void serial(std::span<const StreamNode> nodes);
  void serial(const StreamLoop& loop);
  void share(const StreamLoop& loop);
  void round();
  void run_laps(const std::vector<Stretch>& stretches);
  /// Laps ahead that move all cores alike; `from` and `to` count from 0.
  [[nodiscard]] Stretch common(const std::vector<Stretch>& stretches) const;
  [[nodiscard]] bool done() const;
  [[nodiscard]] bool between() const;

  LapHook* hook_;
  std::optional<ShapeFinder> shapes_;
  std::vector<Walker> walkers_;  // [core]
  std::vector<Sink> sinks_;      // [core]
  std::vector<Turns> turns_;     // of the cores that share the present loop
  std::vector<std::vector<std::uint64_t>> marked_;
};

/// The nests of a program that no core but core 0 has a part in.
std::vector<std::string> serial_nests(const Program& program);

}  // namespace mansard
