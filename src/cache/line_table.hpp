// Hash table from line numbers to small ids.
#pragma once

#include <cstdint>
#include <vector>

namespace mansard {

/// Open addressing with linear probing and deletion by shifting back (Knuth, TAOCP 3, 6.4, algorithm R): no tombstones,
/// so that a table in which lines come and go for ever does not fill up.
class LineTable {
 public:
  using Id = std::uint32_t;
  static constexpr Id none = ~Id{0};

  [[nodiscard]] Id find(std::uint64_t line) const;  ///< `none` if it is not there
  void insert(std::uint64_t line, Id id);           ///< a line that is not there
  void remove(std::uint64_t line);                  ///< a line that is there

 private:
  struct Slot {
    std::uint64_t line;
    Id id;
  };
  [[nodiscard]] std::size_t home(std::uint64_t line) const;
  [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }
  void grow();

  std::vector<Slot> slots_ = std::vector<Slot>(16, Slot{0, none});  // a power of two, at most half full
  std::size_t used_ = 0;
};

}  // namespace mansard
