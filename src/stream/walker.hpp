// Runs a program's loop tree: the one place that knows the order of accesses. Innermost affine loops come out as one
// `Run` each, everything else as spans of elements.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "stream/program.hpp"

namespace mansard {

/// Receives the batches of a walk in program order; spans are valid during the call only.
using Sink = std::function<void(const Batch&)>;

class Walker;

/// Takes over the iterations of loops, to skip those whose effect it knows.
class LoopHook {
 public:
  virtual ~LoopHook() = default;
  /// Called for every entered loop that is not handed out as one run. Iteration n has the value first + n * loop.step;
  /// the hook calls walker.iterate(loop, value) for those that it wants to run, in order, and returns true; or it does
  /// nothing and returns false, and the walker runs them all.
  virtual bool loop(const StreamLoop& loop, Int first, std::uint64_t count, Walker& walker) = 0;
};

/// The values that a loop runs through: count of them, from `first` on; none if count is 0.
struct Trips {
  Int first;
  std::uint64_t count;
};
/// With the values of the slots around it.
Trips trips_of(const StreamLoop& loop, std::span<const Int> environment);

/// What a define puts into its slot, given the place that it reads. Throws InputError if that is outside its table.
Int defined_value(const Program& program, const StreamDefine& define, Int at);

/// What of a gathering body is the same whenever it runs.
struct GatherShape {
  static constexpr std::size_t none = ~std::size_t{0};
  struct Ref {
    Int stride, scale;
    std::size_t define;  ///< that the address depends on, or none
  };
  bool plain = false;      ///< all index reads are of tables, at affine places, and addresses use one of them at most
  std::vector<Int> steps;  ///< per define: of its place, from iteration to iteration
  std::vector<Ref> refs;
};

class Walker {
 public:
  explicit Walker(const Program& program, LoopHook* hook = nullptr);

  /// Walks one nest. Index values (slots) carry over from nest to nest, as integer variables do.
  /// Throws InputError if an index read falls outside its table.
  void walk(const Nest& nest, const Sink& sink);

  /// How often each body ran since construction or the last reset, by Body::id.
  [[nodiscard]] const std::vector<std::uint64_t>& executions() const { return executions_; }
  void reset_executions() { executions_.assign(executions_.size(), 0); }

  // For a LoopHook, during walk():
  /// One iteration of a loop's body; every access of it has gone to the sink on return.
  void iterate(const StreamLoop& loop, Int value);
  /// Counts the executions since `before` another `times` times.
  void repeat_executions(const std::vector<std::uint64_t>& before, std::uint64_t times);
  /// A body's executions that did not come from `iterate`.
  void executed(std::uint32_t body, std::uint64_t times) { executions_[body] += times; }
  [[nodiscard]] std::span<const Int> environment() const { return environment_; }  ///< value of each slot

  // For several cores (stream/cores.hpp), which walk a nest piece by piece:
  void begin(const Sink& sink) { sink_ = &sink; }
  void walk(std::span<const StreamNode> nodes);  ///< every access has gone to the sink on return
  [[nodiscard]] Trips trips(const StreamLoop& loop) const { return trips_of(loop, environment_); }
  [[nodiscard]] bool enters(const StreamGuard& guard) const;
  void set(Slot slot, Int value) { environment_[slot] = value; }
  void set_environment(std::span<const Int> values) { environment_.assign(values.begin(), values.end()); }

 private:
  static constexpr std::size_t batch_size = 4096;  ///< elements; a batch stays in the L1 of the machine we run on

  void visit(std::span<const StreamNode> nodes);
  void visit(const StreamLoop& loop);
  bool hooked(const StreamLoop& loop, Int first, std::uint64_t count);
  void visit(const StreamGuard& guard);
  void visit(const Body& body);
  void run(const StreamLoop& loop, const Body& body, Int first, std::uint64_t count);
  void run_in_pieces(const StreamLoop& loop, const Body& body, Int first, std::uint64_t count);
  bool gather_run(const StreamLoop& loop, const Body& body, Int first, std::uint64_t count);
  bool goes_on(const Body& body, std::uint64_t count);
  void gather(const StreamLoop& loop, const Body& body, Int first, std::uint64_t count);
  void define(const StreamDefine& define, Int at);
  void push(const StreamRef& ref, Int address);
  void flush();

  const Program& program_;
  LoopHook* hook_;
  const Sink* sink_ = nullptr;
  std::vector<std::span<const std::int32_t>> tables_;
  std::vector<Int> environment_;
  std::vector<std::uint64_t> executions_;
  std::vector<Element> elements_;   ///< that wait, behind the gathering run if one does
  std::vector<Int> base_, stride_;  ///< of the run being handed out, or of the gathering one that waits
  struct Waiting {
    const Body* body = nullptr;  ///< null: none waits
    std::uint64_t count = 0;
    std::vector<Gather::Index> index;  ///< per reference
    std::vector<Gather::Break> breaks;
  } gathering_;
  std::vector<const std::int32_t*> index_;           ///< of the gathering loop being entered: per define
  std::vector<std::optional<GatherShape>> gathers_;  ///< [body]
};

/// Is a data-dependent branch taken at these values of the enclosing loops?
bool taken(const Chance& chance, std::span<const Int> environment, std::uint64_t seed);

}  // namespace mansard
