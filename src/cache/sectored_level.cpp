#include "cache/sectored_level.hpp"

#include <bit>
#include <stdexcept>
#include <unordered_map>

#include "cache/opaque_level.hpp"

namespace mansard {
namespace {

class SectoredLevel final : public OpaqueLevel {
 public:
  SectoredLevel(std::unique_ptr<Level> lines, std::uint32_t sectors) : lines_(std::move(lines)), sectors_(sectors) {}

  bool hit(std::uint64_t sector, bool renew, bool mark) override {
    const auto found = masks_.find(sector / sectors_);
    if (found == masks_.end() || (found->second.valid & bit(sector)) == 0) return false;
    if (mark) found->second.dirty |= bit(sector);
    if (renew) lines_->hit(sector / sectors_, true, false);
    return true;
  }

  Used insert(std::uint64_t sector, bool dirty) override {
    const std::uint64_t line = sector / sectors_;
    if (masks_.contains(line)) {
      lines_->hit(line, true, false);
    } else if (const Used used = lines_->insert(line, false); used.has_victim()) {
      out_line_ = used.victim();
      out_ = masks_.extract(out_line_).mapped();
    }
    Masks& masks = masks_[line];
    masks.valid |= bit(sector);
    if (dirty) masks.dirty |= bit(sector);
    return next_victim();
  }

  Used next_victim() override {
    if (out_.valid == 0) return Used::missed();
    const auto first = static_cast<unsigned>(std::countr_zero(out_.valid));
    out_.valid &= out_.valid - 1;
    return Used::missed(out_line_ * sectors_ + first, (out_.dirty >> first & 1U) != 0);
  }

  std::optional<bool> remove(std::uint64_t sector) override {
    const auto found = masks_.find(sector / sectors_);
    if (found == masks_.end() || (found->second.valid & bit(sector)) == 0) return std::nullopt;
    const bool dirty = (found->second.dirty & bit(sector)) != 0;
    found->second.valid &= ~bit(sector);
    found->second.dirty &= ~bit(sector);
    if (found->second.valid == 0) {  // a tag without a sector makes room
      lines_->remove(sector / sectors_);
      masks_.erase(found);
    }
    return dirty;
  }

  [[nodiscard]] bool is_dirty(std::uint64_t sector) const override {
    const auto found = masks_.find(sector / sectors_);
    return found != masks_.end() && (found->second.dirty & bit(sector)) != 0;
  }
  bool clean_line(std::uint64_t sector) override {
    const auto found = masks_.find(sector / sectors_);
    if (found == masks_.end() || (found->second.dirty & bit(sector)) == 0) return false;
    found->second.dirty &= ~bit(sector);
    return true;
  }
  void visit_dirty(const std::function<void(std::uint64_t)>& visitor) const override {
    for (const auto& [line, masks] : masks_) {
      for (std::uint64_t rest = masks.dirty; rest != 0; rest &= rest - 1)
        visitor(line * sectors_ + static_cast<unsigned>(std::countr_zero(rest)));
    }
  }
  void clean() override {
    for (auto& [line, masks] : masks_) masks.dirty = 0;
  }

  void play(std::span<const Event>, std::int64_t, Beyond&, bool) override {
    throw std::logic_error("a sectored level is watched");
  }
  [[nodiscard]] std::uint64_t lookups() const override { return 0; }

 private:
  struct Masks {
    std::uint64_t valid = 0, dirty = 0;  // by sector
  };
  [[nodiscard]] std::uint64_t bit(std::uint64_t sector) const { return std::uint64_t{1} << sector % sectors_; }

  std::unique_ptr<Level> lines_;
  std::uint64_t sectors_;
  std::unordered_map<std::uint64_t, Masks> masks_;  // [line]
  std::uint64_t out_line_ = 0;                      // the line that had to go last …
  Masks out_;                                       // … and its sectors not yet handed out
};

}  // namespace

std::unique_ptr<Level> make_sectored(std::unique_ptr<Level> lines, std::uint32_t sectors) {
  return std::make_unique<SectoredLevel>(std::move(lines), sectors);
}

}  // namespace mansard
