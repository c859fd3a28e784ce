// Index reads for the bodies of random nests: tables, and references whose addresses follow what was read.
#pragma once

#include <utility>
#include <vector>

#include "property/draw.hpp"
#include "stream/program.hpp"

namespace mansard::property {

/// Loop variables of random nests run within 0 … these; slots 0, 1, 2 from outside to inside.
constexpr Int largest_outer = 40, largest_middle = 14, largest_inner = 70;

class RandomGathers {
 public:
  explicit RandomGathers(Draw& source) : draw(source) {}

  /// Adds index reads and lets some of the references follow them. `deepest`: the innermost loop around the body.
  void make(Body& body, Slot deepest, Int element);
  /// Adds reads of the first value of a loop and of the one after its last.
  std::pair<Slot, Slot> bounds(Body& body, Slot deepest);

  [[nodiscard]] std::size_t slots() const { return slots_; }
  [[nodiscard]] const std::vector<IndexData>& tables() const { return tables_; }

 private:
  std::uint16_t table(Int least, Int most);
  std::uint16_t row_starts();
  Quasi place(Slot deepest);
  Slot read(Body& body, std::uint16_t table, Quasi at);

  Draw& draw;
  Slot slots_ = 3;
  std::vector<IndexData> tables_;
};

}  // namespace mansard::property
