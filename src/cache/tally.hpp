// Lines by column and kind, counted for whole spans of events at once.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cache/counters.hpp"
#include "cache/owner.hpp"
#include "cache/tape.hpp"

namespace mansard {

class Tally {
 public:
  struct Lines {
    std::uint64_t demand = 0, write_allocate = 0;
  };

  explicit Tally(std::size_t columns = 0) : cells_(lanes * columns * kinds) {}

  /// Fetches and write-backs; other events are passed over.
  void count(std::span<const Event> events, const Owner& owner) {
    const Owner::Buckets buckets = owner.buckets();
    const bool apart = owner.columns(1) > 1;
    const std::size_t lane = cells_.size() / lanes;
    std::uint32_t* const cells = cells_.data();
    const auto add = [&](std::size_t at, Event event) __attribute__((always_inline)) {
      if (event.has(Event::passes_caches)) [[unlikely]]
        return;
      std::size_t column = buckets(event.line());
      if (column == Owner::Buckets::several || apart) [[unlikely]]
        column = owner(event.line());
      ++cells[at + column * kinds + kind_of(event)];
    };
    // Neighbouring events are often of one array: counted in one cell, each would wait for the one before.
    std::size_t i = 0;
    for (; i + lanes <= events.size(); i += lanes) {
      add(0, events[i]);
      add(lane, events[i + 1]);
      add(2 * lane, events[i + 2]);
      add(3 * lane, events[i + 3]);
    }
    for (; i < events.size(); ++i) add(0, events[i]);
  }

  /// Adds the bytes to flows[column] and starts again from nothing.
  Lines take(Flow* flows, std::uint64_t line_bytes) {
    Lines all;
    const std::size_t lane = cells_.size() / lanes;
    for (std::size_t cell = 0; cell < lane; cell += kinds, ++flows) {
      std::array<std::uint64_t, kinds> lines{};
      for (std::size_t at = cell; at < cells_.size(); at += lane) {
        for (std::size_t k = 0; k < kinds; ++k) {
          lines[k] += cells_[at + k];
          cells_[at + k] = 0;
        }
      }
      flows->demand_fills += lines[Event::demand] * line_bytes;
      flows->write_allocate += lines[Event::write_allocate] * line_bytes;
      flows->write_back += lines[2] * line_bytes;
      flows->prefetch += lines[3] * line_bytes;
      all.demand += lines[Event::demand];
      all.write_allocate += lines[Event::write_allocate];
    }
    return all;
  }

 private:
  static constexpr std::size_t lanes = 4;
  static constexpr std::size_t kinds = 4;
  /// demand 0, write_allocate 1, write_back 2, prefetch 3
  static std::size_t kind_of(Event event) { return (event.packed & 3U) | (event.has(Event::is_prefetch) ? 3U : 0U); }
  std::vector<std::uint32_t> cells_;  // [lane][column][kind]
};

}  // namespace mansard
