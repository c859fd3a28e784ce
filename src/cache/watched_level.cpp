#include "cache/watched_level.hpp"

#include <algorithm>

#include "cache/geometry.hpp"
#include "cache/opaque_level.hpp"

namespace mansard {
namespace {

/// What a prefetcher does next depends on pages and on what it saw before.
class WatchedLevel final : public OpaqueLevel {
 public:
  WatchedLevel(std::unique_ptr<Level> level, const LevelGeometry& geometry)
      : level_(std::move(level)), write_back_(geometry.write_back), store_promotes_(geometry.store_promotes) {}

  bool hit(std::uint64_t line, bool renew, bool mark) override { return level_->hit(line, renew, mark); }
  Used insert(std::uint64_t line, bool dirty) override { return level_->insert(line, dirty); }
  Used next_victim() override { return level_->next_victim(); }
  std::optional<bool> remove(std::uint64_t line) override { return level_->remove(line); }
  [[nodiscard]] bool is_dirty(std::uint64_t line) const override { return level_->is_dirty(line); }
  bool clean_line(std::uint64_t line) override { return level_->clean_line(line); }
  void visit_dirty(const std::function<void(std::uint64_t)>& visitor) const override { level_->visit_dirty(visitor); }
  void clean() override { level_->clean(); }
  void play(std::span<const Event> events, std::int64_t lines, Beyond& beyond, bool /*gathered*/) override {
    lookups_ += events.size();
    for (const Event& unmoved : events) {
      const Event event = unmoved.moved(lines);
      const std::uint64_t line = event.line();
      if (event.has(Event::passes_caches)) {
        beyond.nontemporal_passed(event);
      } else if (event.kind() == Event::store) {
        const bool there = level_->hit(line, store_promotes_, write_back_);
        if (!there) beyond.store_missed(line, event.bytes());
        if (there && !write_back_) beyond.stored_through(line, event.bytes());
        beyond.looked_up(line, !there);
      } else if (event.is_fetch()) {
        const bool there = level_->hit(line, true, false);
        if (!there) beyond.fetch_missed(line, event.kind());
        if (event.kind() != Event::prefetch) beyond.looked_up(line, !there);
      } else if (!level_->hit(line, store_promotes_, write_back_)) {
        beyond.write_back_missed(line);
      } else if (!write_back_) {
        beyond.written_through(line);
      }
    }
  }
  [[nodiscard]] std::uint64_t lookups() const override { return lookups_; }

 private:
  std::unique_ptr<Level> level_;
  bool write_back_, store_promotes_;
  std::uint64_t lookups_ = 0;
};

}  // namespace

std::unique_ptr<Level> make_watched(std::unique_ptr<Level> level, const LevelGeometry& geometry) {
  return std::make_unique<WatchedLevel>(std::move(level), geometry);
}

}  // namespace mansard
