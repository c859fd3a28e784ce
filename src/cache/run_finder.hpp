// Finds loops in accesses that came one by one: a trace of another tool has lost them, yet most of it is made of them.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "stream/program.hpp"

namespace mansard {

/// A run that is found has exactly the accesses that it was found in, so that it does not matter to the result whether
/// one is found. Where there are none, the search soon costs next to nothing.
class RunFinder {
 public:
  RunFinder();

  /// Cuts elements into runs and what lies between them: calls on_run(const Run&) and on_elements(span), in order.
  template <class OnRun, class OnElements>
  void split(std::span<const Element> elements, const OnRun& on_run, const OnElements& on_elements) {
    if (elements.size() < fewest_accesses) return on_elements(elements);
    std::size_t from = 0;  // of the elements that belong to no run
    for (std::size_t at = 0; at < elements.size();) {
      if (wait_ > 0) {
        const std::size_t passed = std::min(wait_, elements.size() - at);
        wait_ -= passed;
        at += passed;
        continue;
      }
      const std::optional<Run> run = starting(elements.subspan(at));
      if (!run) {
        wait_ = pause_;
        pause_ = std::min(2 * pause_, longest_pause);
        continue;
      }
      if (from < at) on_elements(elements.subspan(from, at - from));
      on_run(*run);
      at += run->count * run->refs.size();
      from = at;
      pause_ = shortest_pause;
    }
    if (from < elements.size()) on_elements(elements.subspan(from));
  }

 private:
  // Fewer are not worth it: runs begin and end with full iterations, and have to be looked at before they are played.
  static constexpr std::size_t fewest_iterations = 8, fewest_accesses = 64;
  static constexpr std::size_t shortest_pause = 4, longest_pause = 4096;  // elements

  /// The run that the elements start with; valid until the next one.
  std::optional<Run> starting(std::span<const Element> elements);

  std::vector<StreamRef> refs_;
  std::vector<Int> base_, stride_;
  std::size_t wait_ = 0;  ///< elements before the next search
  std::size_t pause_ = shortest_pause;
};

}  // namespace mansard
