// A level that leaves nothing out and cannot tell its state: nothing of it is reduced or fast-forwarded.
#pragma once

#include "cache/level.hpp"

namespace mansard {

class OpaqueLevel : public Level {
 public:
  void go_solo(const Solo&) override {}  // never: the stage wants to know
  bool reduce(const Run&, Beyond&, bool) override { return false; }
  [[nodiscard]] bool keeps_latest() const override { return false; }
  [[nodiscard]] std::uint64_t exchanges() const override { return 0; }
  [[nodiscard]] std::uint64_t entries() const override { return 0; }
  [[nodiscard]] std::uint64_t occupied() const override { return 0; }
  void save(LevelState&, bool) const override {}
  [[nodiscard]] bool is_moved(const LevelState&, bool, std::int64_t) const override { return false; }
  [[nodiscard]] bool keeps_owners(const Owner&, std::int64_t) const override { return false; }
  void move(std::int64_t) override {}
};

}  // namespace mansard
