#include "cache/naive_policies.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "cache/naive_mix.hpp"
#include "cache/policy.hpp"

namespace mansard::naive {
namespace {

using u64 = std::uint64_t;

/// Something of each way of each set.
class ByWay {
 public:
  ByWay(const LevelGeometry& level, u64 initial) : ways_(level.ways), values_(level.sets * level.ways, initial) {}
  u64* set(u64 s) { return &values_[s * ways_]; }
  u64* end(u64 s) { return set(s) + ways_; }

 private:
  u64 ways_;
  std::vector<u64> values_;
};

/// Each node of the tree points to the half whose last use is longer ago, to the left one before there was any.
class TreePlru final : public WayPolicy {
 public:
  explicit TreePlru(const LevelGeometry& level) : ways_(level.ways), last_use_(level, 0) {}
  void used(u64 set, std::size_t way) override { last_use_.set(set)[way] = ++now_; }
  std::size_t choose(u64 set, std::size_t first, std::size_t) override {
    if (first < ways_) return first;
    const u64* last_use = last_use_.set(set);
    std::size_t begin = 0, end = ways_;
    while (end - begin > 1) {
      const std::size_t middle = (begin + end) / 2;
      const u64 left = *std::max_element(last_use + begin, last_use + middle);
      const u64 right = *std::max_element(last_use + middle, last_use + end);
      (left <= right ? end : begin) = middle;
    }
    return begin;
  }
  void came_in(u64 set, std::size_t way) override { used(set, way); }
  void left(u64, std::size_t) override {}

 private:
  std::size_t ways_;
  u64 now_ = 0;
  ByWay last_use_;
};

/// Jaleel et al., ISCA 2010, section 4.1: "SRRIP with hit priority".
class Srrip final : public WayPolicy {
 public:
  explicit Srrip(const LevelGeometry& level)
      : ways_(level.ways),
        distant_((u64{1} << (level.parameters.empty() ? 2 : std::stoi(level.parameters))) - 1),
        rrpv_(level, distant_) {}
  void used(u64 set, std::size_t way) override { rrpv_.set(set)[way] = 0; }
  std::size_t choose(u64 set, std::size_t first, std::size_t) override {
    if (first < ways_) return first;
    for (;;) {
      for (std::size_t way = 0; way < ways_; ++way) {
        if (rrpv_.set(set)[way] == distant_) return way;
      }
      for (std::size_t way = 0; way < ways_; ++way) ++rrpv_.set(set)[way];
    }
  }
  void came_in(u64 set, std::size_t way) override { rrpv_.set(set)[way] = distant_ - 1; }
  void left(u64 set, std::size_t way) override { rrpv_.set(set)[way] = distant_; }

 private:
  std::size_t ways_;
  u64 distant_;
  ByWay rrpv_;
};

/// uops.info/cache.html: ages 0 to 3. `parameters` is "hxy-mx-rx-ux", perhaps with "-umo".
class Qlru final : public WayPolicy {
 public:
  explicit Qlru(const LevelGeometry& level)
      : ways_(level.ways),
        of_3_(digit(level, 1)),
        of_2_(digit(level, 2)),
        insertion_(digit(level, 5)),
        place_(digit(level, 8)),
        update_(digit(level, 11)),
        on_miss_only_(level.parameters.ends_with("-umo")),
        age_(level, 3) {}
  void used(u64 set, std::size_t way) override {
    u64& age = age_.set(set)[way];
    age = age == 3 ? of_3_ : age == 2 ? of_2_ : 0;
    if (!on_miss_only_) grow_older(set, way);
  }
  std::size_t choose(u64 set, std::size_t first, std::size_t last) override {
    if (on_miss_only_) grow_older(set, ways_);
    if (first < ways_) return place_ == 2 ? last : first;
    for (std::size_t way = 0; way < ways_; ++way) {
      if (age_.set(set)[way] == 3) return way;
    }
    return 0;
  }
  void came_in(u64 set, std::size_t way) override {
    age_.set(set)[way] = insertion_;
    if (!on_miss_only_) grow_older(set, way);
  }
  void left(u64 set, std::size_t way) override { age_.set(set)[way] = 3; }

 private:
  static u64 digit(const LevelGeometry& level, std::size_t at) {
    return static_cast<u64>(level.parameters.at(at) - '0');
  }
  void grow_older(u64 set, std::size_t accessed) {
    const std::size_t spared = update_ == 1 || update_ == 3 ? accessed : ways_;
    const bool until_one_is_3 = update_ <= 1;  // else by one step
    for (;;) {
      bool others = false;  // that grow
      for (std::size_t way = 0; way < ways_; ++way) {
        if (way != spared) others = true;
        if (age_.set(set)[way] == 3 && (way != spared || update_ == 3)) return;
      }
      for (std::size_t way = 0; way < ways_; ++way) {
        if (way != spared) ++age_.set(set)[way];
      }
      if (!others || !until_one_is_3) return;
    }
  }

  std::size_t ways_;
  u64 of_3_, of_2_, insertion_, place_, update_;
  bool on_miss_only_;
  ByWay age_;
};

/// The way is (upper half of the hash) * ways / 2^32; the hash is over seed, set and number.
class Random final : public WayPolicy {
 public:
  explicit Random(const LevelGeometry& level)
      : ways_(level.ways), seed_(level.parameters.empty() ? 1 : std::stoull(level.parameters)), came_(level.sets) {}
  void used(u64, std::size_t) override {}
  std::size_t choose(u64 set, std::size_t first, std::size_t) override {
    const u64 hash = hash_of({seed_, set, ++came_[set]});
    return first < ways_ ? first : (hash >> 32U) * ways_ / (u64{1} << 32U);
  }
  void came_in(u64, std::size_t) override {}
  void left(u64, std::size_t) override {}

 private:
  std::size_t ways_;
  u64 seed_;
  std::vector<u64> came_;  // [set] lines so far
};

}  // namespace

std::unique_ptr<WayPolicy> make_way_policy(const LevelGeometry& level) {
  const std::string_view name = level.policy->name;
  if (name == "lru" || name == "fifo") return nullptr;
  if (name == "tree-plru") return std::make_unique<TreePlru>(level);
  if (name == "srrip") return std::make_unique<Srrip>(level);
  if (name == "qlru") return std::make_unique<Qlru>(level);
  if (name == "random") return std::make_unique<Random>(level);
  throw std::invalid_argument("no naive twin of this policy");
}

}  // namespace mansard::naive
