#include "cache/watched_level.hpp"

#include <algorithm>

#include "cache/geometry.hpp"

namespace mansard {
namespace {

class WatchedLevel final : public Level {
 public:
  WatchedLevel(std::unique_ptr<Level> level, const LevelGeometry& geometry, std::uint32_t line_bytes)
      : level_(std::move(level)),
        line_bytes_(line_bytes),
        write_back_(geometry.write_back),
        store_promotes_(geometry.store_promotes) {}

  bool hit(std::uint64_t line, bool renew, bool mark) override { return level_->hit(line, renew, mark); }
  std::optional<Victim> insert(std::uint64_t line, bool dirty) override { return level_->insert(line, dirty); }
  std::optional<Victim> next_victim() override { return level_->next_victim(); }
  std::optional<bool> remove(std::uint64_t line) override { return level_->remove(line); }
  [[nodiscard]] bool is_dirty(std::uint64_t line) const override { return level_->is_dirty(line); }
  void visit_dirty(const std::function<void(std::uint64_t)>& visitor) const override { level_->visit_dirty(visitor); }
  void clean() override { level_->clean(); }
  void go_solo(const Solo&) override {}  // never: the stage wants to know

  ByKind access(const Run& run, Outside& outside) override {
    ByKind straddles;
    for (std::uint64_t n = 0; n < run.count; ++n) {
      for (std::size_t r = 0; r < run.refs.size(); ++r) {
        const Int address = run.base[r] + static_cast<Int>(n) * run.stride[r];
        touch(static_cast<std::uint64_t>(address), run.refs[r].bytes, run.refs[r].kind, outside, straddles);
      }
    }
    return straddles;
  }
  ByKind access(std::span<const Element> elements, Outside& outside) override {
    ByKind straddles;
    for (const Element& e : elements) touch(e.address, e.bytes, e.kind, outside, straddles);
    return straddles;
  }

  void play(std::span<const Event> events, std::int64_t lines, Beyond& beyond, LevelCount& count) override {
    lookups_ += events.size();
    for (const Event& unmoved : events) {
      const Event event = unmoved.moved(lines);
      const std::uint64_t line = event.line();
      if (event.is_fetch()) {
        const bool there = level_->hit(line, true, false);
        if (!there) {
          beyond.fetch_missed(line, event.kind());
        } else if (event.kind() != Event::prefetch) {
          ++(event.kind() == Event::demand ? count.load_hits : count.store_hits);
        }
        if (event.kind() != Event::prefetch) beyond.looked_up(line, !there);
      } else if (event.kind() != Event::write_back) {
        beyond.nontemporal_passed(event);
      } else if (!level_->hit(line, store_promotes_, write_back_)) {
        beyond.write_back_missed(line);
      } else if (!write_back_) {
        beyond.written_through(line);
      }
    }
  }
  [[nodiscard]] std::uint64_t lookups() const override { return lookups_; }

  // What a prefetcher does next depends on pages and on what it saw before: nothing is fast-forwarded.
  [[nodiscard]] std::uint64_t entries() const override { return 0; }
  [[nodiscard]] std::uint64_t occupied() const override { return 0; }
  void save(LevelState&, bool) const override {}
  [[nodiscard]] bool is_moved(const LevelState&, bool, std::int64_t) const override { return false; }
  [[nodiscard]] bool keeps_owners(const Owner&, std::int64_t) const override { return false; }
  void move(std::int64_t) override {}

 private:
  void touch(std::uint64_t address, std::uint32_t bytes, Kind kind, Outside& outside, ByKind& straddles) {
    for (++lookups_;; ++straddles[kind]) {
      const auto room = static_cast<std::uint32_t>(line_bytes_ - address % line_bytes_);
      const std::uint32_t part = std::min(bytes, room);
      touch_line(address / line_bytes_, part, kind, outside);
      if (part == bytes) return;
      address += part;
      bytes -= part;
    }
  }
  void touch_line(std::uint64_t line, std::uint32_t bytes, Kind kind, Outside& outside) {
    if (kind == Kind::nontemporal) return outside.nontemporal(line, bytes);
    const bool store = kind == Kind::store;
    const bool there = level_->hit(line, !store || store_promotes_, store && write_back_);
    if (!there) {
      if (store) {
        outside.store_miss(line, bytes);
      } else {
        outside.load_miss(line);
      }
    } else if (store && !write_back_) {
      outside.store_through(line, bytes);
    }
    outside.looked_up(line, !there);
  }

  std::unique_ptr<Level> level_;
  std::uint64_t line_bytes_;
  bool write_back_, store_promotes_;
  std::uint64_t lookups_ = 0;
};

}  // namespace

std::unique_ptr<Level> make_watched(std::unique_ptr<Level> level, const LevelGeometry& geometry,
                                    std::uint32_t line_bytes) {
  return std::make_unique<WatchedLevel>(std::move(level), geometry, line_bytes);
}

}  // namespace mansard
