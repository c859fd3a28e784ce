#include "cache/touch_plan.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace mansard {
namespace {

constexpr std::uint32_t longest_period = 64;  // iterations; a run with a longer one is not worth planning
constexpr std::size_t most_refs = 1024;

class Planner {
 public:
  Planner(const Run& run, int line_shift, TouchPlan& plan)
      : run_(run), shift_(line_shift), bytes_(Int{1} << line_shift), plan_(plan) {}

  bool make() {
    if (run_.refs.size() > most_refs || !aligned() || !find_period() || !apart_from_streaming_stores()) return false;
    plan_.streams.clear();
    plan_.entries.clear();
    plan_.exits.clear();
    plan_.equal_windows = equal_windows();
    plan_.one_stride = plan_.equal_windows &&
                       std::ranges::all_of(run_.stride, [&](Int s) { return s == run_.stride[0]; }) &&
                       std::ranges::none_of(run_.refs, [](auto& ref) { return ref.kind == Kind::nontemporal; });
    group();
    const auto order = [](const Touch& a, const Touch& b) {
      return a.offset != b.offset ? a.offset < b.offset : a.ref < b.ref;
    };
    std::ranges::sort(plan_.entries, order);
    std::ranges::sort(plan_.exits, order);
    plan_.both.resize(plan_.entries.size() + plan_.exits.size());
    std::ranges::merge(plan_.entries, plan_.exits, plan_.both.begin(), order);
    for (Touch& exit : plan_.exits) exit.offset %= plan_.period;
    std::ranges::sort(plan_.exits, order);
    return true;
  }

 private:
  [[nodiscard]] Int line_at(std::size_t ref, Int iteration) const {
    return (run_.base[ref] + iteration * run_.stride[ref]) >> shift_;
  }

  /// No access may straddle two lines: elements are powers of two, and bases and strides multiples of them.
  [[nodiscard]] bool aligned() const {
    for (std::size_t r = 0; r < run_.refs.size(); ++r) {
      const Int size = run_.refs[r].bytes;
      if (size > bytes_ || !std::has_single_bit(static_cast<std::uint64_t>(size))) return false;
      if (((run_.base[r] | run_.stride[r]) & (size - 1)) != 0) return false;
    }
    return true;
  }

  bool find_period() {
    Int period = 1;
    for (const Int stride : run_.stride) period = std::max(period, bytes_ / std::gcd(stride, bytes_));
    plan_.period = static_cast<std::uint32_t>(period);  // all are powers of two: the largest is their common multiple
    return period <= longest_period;
  }

  /// A streaming store removes cached copies of its line; a reference that brings them back in between would make
  /// every single store count, so their lines must be disjoint over the whole run.
  [[nodiscard]] bool apart_from_streaming_stores() const {
    const Int last = static_cast<Int>(run_.count) - 1;
    for (std::size_t s = 0; s < run_.refs.size(); ++s) {
      if (run_.refs[s].kind != Kind::nontemporal) continue;
      const auto [low, high] = std::minmax({line_at(s, 0), line_at(s, last)});
      for (std::size_t r = 0; r < run_.refs.size(); ++r) {
        if (r == s) continue;
        const auto [from, to] = std::minmax({line_at(r, 0), line_at(r, last)});
        if (from <= high && low <= to) return false;
      }
    }
    return true;
  }

  /// Every line is in use for the same number of iterations: then lines that are entered in some order are left in it.
  [[nodiscard]] bool equal_windows() const {
    Int common = 0;
    for (std::size_t r = 0; r < run_.refs.size(); ++r) {
      if (run_.refs[r].kind == Kind::nontemporal) continue;  // brings nothing into a cache
      const Int stride = std::abs(run_.stride[r]);
      if (stride == 0 || stride >= bytes_ || bytes_ % stride != 0) return false;
      if (common != 0 && stride != common) return false;
      common = stride;
    }
    return true;
  }

  /// May `follower` join a stream whose nearest reference ahead is `ahead`?
  [[nodiscard]] bool follows(std::size_t ahead, std::size_t follower) const {
    const Int stride = run_.stride[ahead];
    if (run_.refs[follower].array != run_.refs[ahead].array) return false;
    if (run_.stride[follower] != stride || stride == 0 || std::abs(stride) >= bytes_ || bytes_ % stride != 0)
      return false;
    if (run_.refs[ahead].kind == Kind::nontemporal || run_.refs[follower].kind == Kind::nontemporal) return false;
    const Int distance = stride > 0 ? run_.base[ahead] - run_.base[follower] : run_.base[follower] - run_.base[ahead];
    // Less than a line: the follower enters a line while the one ahead is still in it, so that the latest access of one
    // of them is always to it (ReducedRun::refresh makes up for no more than these).
    return distance >= 0 && distance < bytes_ && distance % stride == 0;
  }

  void group() {
    const std::size_t count = run_.refs.size();
    taken_.assign(count, false);
    ahead_.resize(count);
    std::iota(ahead_.begin(), ahead_.end(), std::uint16_t{0});
    // In the order in which references reach a line: ahead in space, then earlier in the body.
    std::ranges::sort(ahead_, [&](std::uint16_t a, std::uint16_t b) {
      const Int stride = run_.stride[a];
      if (stride != run_.stride[b]) return stride < run_.stride[b];
      if (run_.base[a] != run_.base[b]) return stride >= 0 ? run_.base[a] > run_.base[b] : run_.base[a] < run_.base[b];
      return a < b;
    });
    for (std::size_t i = 0; i < count; ++i) {
      if (taken_[ahead_[i]]) continue;
      members_.assign(1, ahead_[i]);
      for (std::size_t j = i + 1; j < count && run_.stride[ahead_[j]] == run_.stride[ahead_[i]]; ++j) {
        if (taken_[ahead_[j]] || !follows(members_.back(), ahead_[j])) continue;
        members_.push_back(ahead_[j]);
      }
      for (const std::uint16_t m : members_) taken_[m] = true;
      add_stream();
    }
  }

  void add_stream() {
    const auto stream = static_cast<std::uint16_t>(plan_.streams.size());
    const std::uint16_t lead = members_.front();
    const std::uint16_t trail = members_.back();
    const auto store =
        std::ranges::find_if(members_, [&](std::uint16_t m) { return run_.refs[m].kind == Kind::store; });
    plan_.streams.push_back({lead, trail, store != members_.end() ? *store : TouchStream::no_store});
    enter(lead, stream);
    // The first store makes the line dirty; a line must not be dirty before that.
    if (store != members_.end() && *store != lead) enter(*store, stream);
    if (trail != lead && (store == members_.end() || *store != trail)) enter(trail, stream);
    leave(trail, stream);
  }

  [[nodiscard]] Touch touch(std::uint16_t ref, std::uint16_t stream, std::uint32_t offset, Int at) const {
    const Int per_period = run_.stride[ref] * static_cast<Int>(plan_.period) / bytes_;
    return {offset, ref, run_.refs[ref].kind, stream, line_at(ref, at) - line_at(ref, 0), per_period};
  }

  void enter(std::uint16_t ref, std::uint16_t stream) {
    for (std::uint32_t n = 1; n <= plan_.period; ++n) {
      if (line_at(ref, n) != line_at(ref, n - 1)) plan_.entries.push_back(touch(ref, stream, n, n));
    }
  }

  /// The last touch of a line, unless it is an entry as well (a stride of a line or more).
  void leave(std::uint16_t ref, std::uint16_t stream) {
    if (run_.refs[ref].kind == Kind::nontemporal) return;
    for (std::uint32_t n = 1; n <= plan_.period; ++n) {
      const bool leaves = line_at(ref, n) != line_at(ref, n + 1);
      const bool enters = line_at(ref, n) != line_at(ref, n - 1);
      if (leaves && !enters) plan_.exits.push_back(touch(ref, stream, n, n));
    }
  }

  const Run& run_;
  int shift_;
  Int bytes_;
  TouchPlan& plan_;
  std::vector<bool> taken_;
  std::vector<std::uint16_t> ahead_, members_;
};

}  // namespace

namespace {

TouchPlan::Key key_of(const Run& run, std::size_t r, std::uint16_t first, int line_shift) {
  const StreamRef& ref = run.refs[r];
  return {run.stride[r],
          run.base[r] & ((Int{1} << line_shift) - 1),
          run.base[r] - run.base[first],
          ref.array,
          first,
          ref.bytes,
          ref.kind};
}

bool fits(const TouchPlan& plan, const Run& run, int line_shift) {
  if (plan.keys.size() != run.refs.size()) return false;
  for (std::size_t r = 0; r < run.refs.size(); ++r) {
    if (plan.keys[r] != key_of(run, r, plan.keys[r].first, line_shift)) return false;
  }
  return true;
}

}  // namespace

bool plan_touches(const Run& run, int line_shift, TouchPlan& plan) {
  if (fits(plan, run, line_shift)) return true;
  plan.keys.clear();
  if (!Planner(run, line_shift, plan).make()) return false;
  // Whether streaming stores keep apart from the rest depends on more than the key.
  const bool streams =
      std::ranges::any_of(run.refs, [](const StreamRef& ref) { return ref.kind == Kind::nontemporal; });
  for (std::size_t r = 0; r < run.refs.size() && !streams; ++r) {
    std::uint16_t first = 0;
    while (run.refs[first].array != run.refs[r].array) ++first;
    plan.keys.push_back(key_of(run, r, first, line_shift));
  }
  return true;
}

}  // namespace mansard
