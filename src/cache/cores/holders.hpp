// Which caches hold a line: what a store or a fetch must know before it looks into all of them.
#pragma once

#include <cstdint>
#include <vector>

namespace mansard {

/// A directory: line -> set of caches, by number. Exact for the caches that report to it.
class Holders {
 public:
  explicit Holders(std::size_t caches) : words_((caches + 63) / 64) {
    if (words_ > 0) resize(1024);
  }

  void add(std::uint64_t line, std::size_t cache) {
    if (2 * (used_ + 1) > keys_.size()) rehash(0);
    const std::size_t slot = find(line);
    used_ += keys_[slot] == 0 ? 1U : 0U;
    keys_[slot] = line + 1;
    sets_[slot * words_ + cache / 64] |= bit(cache);
  }
  void remove(std::uint64_t line, std::size_t cache) {
    const std::size_t slot = find(line);
    if (keys_[slot] != 0) sets_[slot * words_ + cache / 64] &= ~bit(cache);
  }
  /// Is it in some cache?
  [[nodiscard]] bool any(std::uint64_t line) const {
    const std::size_t slot = words_ == 0 ? 0 : find(line);
    for (std::size_t w = 0; w < words_; ++w) {
      if (sets_[slot * words_ + w] != 0) return true;
    }
    return false;
  }
  /// Does any cache hold the line that is not in `own` (a set of words() words)?
  [[nodiscard]] bool others(std::uint64_t line, const std::uint64_t* own) const {
    if (words_ == 0) return false;
    const std::size_t slot = find(line);
    for (std::size_t w = 0; w < words_; ++w) {
      if ((sets_[slot * words_ + w] & ~own[w]) != 0) return true;
    }
    return false;
  }
  [[nodiscard]] bool has(std::uint64_t line, std::size_t cache) const {
    return (sets_[find(line) * words_ + cache / 64] & bit(cache)) != 0;
  }
  [[nodiscard]] std::size_t words() const { return words_; }
  /// Every line is now another one.
  void move(std::int64_t lines) {
    if (words_ > 0) rehash(static_cast<std::uint64_t>(lines));
  }

 private:
  static std::uint64_t bit(std::size_t cache) { return std::uint64_t{1} << (cache % 64); }

  /// The line's slot, or the empty one where it would go. Lines that nobody holds any more stay until the next rehash.
  [[nodiscard]] std::size_t find(std::uint64_t line) const {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;  // Fibonacci hashing (Knuth, TAOCP 3, 6.4)
    std::size_t slot = (line * golden >> 20U) & (keys_.size() - 1);
    while (keys_[slot] != 0 && keys_[slot] != line + 1) slot = (slot + 1) & (keys_.size() - 1);
    return slot;
  }

  void resize(std::size_t slots) {
    keys_.assign(slots, 0);
    sets_.assign(slots * words_, 0);
    used_ = 0;
  }

  void rehash(std::uint64_t moved) {
    const std::vector<std::uint64_t> keys = std::move(keys_), sets = std::move(sets_);
    const auto held = [&](std::size_t slot) {
      std::uint64_t any = 0;
      for (std::size_t w = 0; w < words_; ++w) any |= sets[slot * words_ + w];
      return any != 0;
    };
    std::size_t live = 0;
    for (std::size_t s = 0; s < keys.size(); ++s) live += held(s) ? 1U : 0U;
    std::size_t slots = keys.size();
    while (slots < 4 * (live + 1)) slots *= 2;
    resize(slots);
    for (std::size_t s = 0; s < keys.size(); ++s) {
      if (!held(s)) continue;
      const std::size_t slot = find(keys[s] - 1 + moved);
      keys_[slot] = keys[s] + moved;
      for (std::size_t w = 0; w < words_; ++w) sets_[slot * words_ + w] = sets[s * words_ + w];
      ++used_;
    }
  }

  std::size_t words_;
  std::vector<std::uint64_t> keys_;  // [slot] line + 1, 0 if empty
  std::vector<std::uint64_t> sets_;  // [slot][word]
  std::size_t used_ = 0;
};

}  // namespace mansard
