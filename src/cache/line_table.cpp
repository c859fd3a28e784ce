#include "cache/line_table.hpp"

#include <bit>

namespace mansard {

std::size_t LineTable::home(std::uint64_t line) const {
  // Fibonacci hashing: neighbouring lines, the usual case, spread evenly over the upper bits of the product.
  return static_cast<std::size_t>((line * 0x9E3779B97F4A7C15U) >> (64 - std::countr_zero(slots_.size())));
}

LineTable::Id LineTable::find(std::uint64_t line) const {
  for (std::size_t at = home(line);; at = next(at)) {
    if (slots_[at].id == none || slots_[at].line == line) return slots_[at].id;
  }
}

void LineTable::insert(std::uint64_t line, Id id) {
  if (2 * (used_ + 1) > slots_.size()) grow();
  std::size_t at = home(line);
  while (slots_[at].id != none) at = next(at);
  slots_[at] = {line, id};
  ++used_;
}

void LineTable::remove(std::uint64_t line) {
  std::size_t hole = home(line);
  while (slots_[hole].line != line || slots_[hole].id == none) hole = next(hole);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = next(hole); slots_[at].id != none; at = next(at)) {
    // An entry may fill the hole only if that is not before its home.
    if (((at - home(slots_[at].line)) & mask) >= ((at - hole) & mask)) {
      slots_[hole] = slots_[at];
      hole = at;
    }
  }
  slots_[hole].id = none;
  --used_;
}

void LineTable::grow() {
  std::vector<Slot> old(2 * slots_.size(), Slot{0, none});
  old.swap(slots_);
  used_ = 0;
  for (const Slot& slot : old) {
    if (slot.id != none) insert(slot.line, slot.id);
  }
}

}  // namespace mansard
