#include "model/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace mansard {
namespace {

constexpr double worth_saying = 0.05;  // fractions of the traffic below this are noise of halos and edges

/// Traffic of one boundary, seen by array.
struct Budget {
  double bytes = 0, compulsory = 0;
  double write_allocate = 0;   ///< of arrays that are stored and never loaded
  double streaming_saves = 0;  ///< what non-temporal stores would save of them: all but the bytes stored
  std::string allocating;      ///< the array with most of it
  double largest_excess = 0;   ///< over compulsory and write-allocate
  std::string most_excess;
};

Budget budget_of(const AdviceInput& run, std::size_t boundary) {
  Budget budget;
  double most_allocating = 0;
  const auto& flows = run.counters.flows.at(boundary);
  for (std::size_t a = 0; a < flows.size(); ++a) {
    const bool loaded = run.counters.flows.front()[a].demand_fills > 0;
    const auto bytes = static_cast<double>(flows[a].total());
    const double allocate = loaded ? 0 : static_cast<double>(flows[a].write_allocate);
    const double compulsory = compulsory_bytes(run.program, run.counters, a);
    budget.bytes += bytes;
    budget.compulsory += compulsory;
    budget.write_allocate += allocate;
    if (allocate > 0)
      budget.streaming_saves += std::max(0.0, bytes - static_cast<double>(run.counters.flows.front()[a].out()));
    if (allocate > most_allocating) most_allocating = allocate, budget.allocating = run.program.regions[a].name;
    const double excess = bytes - allocate - compulsory;  // reuse that is lost, or parts of lines that are not used
    if (excess > budget.largest_excess)
      budget.largest_excess = excess, budget.most_excess = run.program.regions[a].name;
  }
  return budget;
}

std::string percent(double part, double whole) { return fmt::format("{:.0f} %", 100 * part / whole); }

/// What binds is traffic below the L1.
std::string about_transfers(const AdviceInput& run, std::size_t boundary) {
  const Budget budget = budget_of(run, boundary);
  const bool is_memory = boundary == run.machine.caches.size();
  const std::string name = run.machine.boundary(boundary), above = run.machine.level(boundary - 1);
  std::string text = fmt::format("{} binds with {:.1f} B/update", name, budget.bytes / run.updates);
  bool advised = false;
  const auto also = [&] { return std::exchange(advised, true) ? "; " : ": "; };
  if (budget.largest_excess > worth_saying * budget.bytes) {
    text += fmt::format(
        "{}{} moves {} of it beyond its elements once in and once out; use whole lines of it, tile so that its reuse "
        "fits in {}, or fuse the loops that share it",
        also(), budget.most_excess, percent(budget.largest_excess, budget.bytes), above);
  }
  if (is_memory && budget.streaming_saves > worth_saying * budget.bytes) {
    text += fmt::format("{}nontemporal({}) would save {} of it: no write-allocate", also(), budget.allocating,
                        percent(budget.streaming_saves, budget.bytes));
  }
  if (!advised && is_memory) {
    text += fmt::format("{}{} of it is compulsory; fuse with neighbouring loops or use a smaller type", also(),
                        percent(std::min(budget.compulsory, budget.bytes), budget.bytes));
  } else if (!advised) {
    text += fmt::format(
        "{}its arrays cross once each; tile over several sweeps so that they stay in {}, or use a smaller type", also(),
        above);
  }
  return text;
}

const CoreTerm* find(const InCore& core, const std::string& name) {
  const auto found = std::find_if(core.terms.begin(), core.terms.end(), [&](const auto& t) { return t.name == name; });
  return found == core.terms.end() ? nullptr : &*found;
}

/// By how much the in-core time falls if the term that binds went away.
std::string gain(const InCore& core, const std::string& bound) {
  const CoreTerm* largest = find(core, bound);
  Cycles next;
  for (const CoreTerm& term : core.terms) {
    if (&term != largest) next = std::max(next, term.cycles);
  }
  constexpr double same = 1.05;  // less is not worth a word
  if (!largest || next == Cycles(0) || next * same > largest->cycles) return {};
  return fmt::format(" (the next bound in the core is {:.1f} times faster)", largest->cycles / next);
}

std::string about_core(const AdviceInput& run) {
  const bool at_l1 = run.bound_by == run.machine.level(0);
  const std::string bound = at_l1 && find(run.core, "load") ? "load" : run.core_bound;
  if (bound.empty()) return "the arithmetic peak binds: only fewer operations, more lanes or more cores help";
  std::string text = fmt::format("the {} units bind: fewer operations, or a smaller type for more lanes", bound);
  if (bound == "chain") {
    text =
        "the loop-carried dependency chain binds: break it into independent partial results, or interleave "
        "iterations of another loop";
  } else if (bound == "div") {
    text = "the divide unit binds: take the division out of the loop or multiply by a precomputed reciprocal";
  } else if (bound == "sqrt") {
    text = "the square-root unit binds: take the root out of the loop or store it";
  } else if (bound == "store") {
    text = "the store port binds: keep results in registers over several iterations";
  } else if (bound == waits_for_stores) {
    text =
        "loads that cross lines wait for the stores before them: add the neighbours in the row last, or use scalar "
        "code";
  } else if (bound == "load") {
    text = "the load ports bind: block for registers (unroll_jam), so that a loaded value serves several iterations";
  }
  return text + gain(run.core, bound);
}

}  // namespace

double compulsory_bytes(const Program& program, const Counters& counters, std::size_t array) {
  const Flow& asked = counters.flows.front()[array];
  const auto size = static_cast<double>(program.regions[array].bytes);
  return std::min(size, static_cast<double>(asked.in())) + std::min(size, static_cast<double>(asked.out()));
}

std::string advise(const AdviceInput& run) {
  if (run.bound_by.empty()) return "what binds is unknown: the machine file gives no bandwidths";
  for (std::size_t b = 1; b <= run.machine.caches.size() && run.updates > 0; ++b) {
    if (run.bound_by == run.machine.level(b)) return about_transfers(run, b);
  }
  return about_core(run);
}

}  // namespace mansard
