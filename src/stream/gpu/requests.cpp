#include "stream/gpu/requests.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace mansard {

namespace {

constexpr std::array array_members{&ArrayRequests::loads,         &ArrayRequests::stores,
                                   &ArrayRequests::load_bytes,    &ArrayRequests::store_bytes,
                                   &ArrayRequests::load_sectors,  &ArrayRequests::store_sectors,
                                   &ArrayRequests::distinct_bytes};
constexpr std::array members{&Requests::lines, &Requests::shared_instructions, &Requests::shared_passes,
                             &Requests::shared_least, &Requests::shared_bytes};

/// Calls change(own, other's) for every whole number that is counted.
template <class Change>
void each_number(Requests& own, const Requests& other, const Change& change) {
  for (std::size_t a = 0; a < own.arrays.size(); ++a) {
    for (const auto member : array_members) change(own.arrays[a].*member, other.arrays[a].*member);
  }
  for (std::size_t b = 0; b < own.warps.size(); ++b) {
    change(own.warps[b], other.warps[b]);
    change(own.lanes[b], other.lanes[b]);
  }
  for (const auto member : members) change(own.*member, other.*member);
}

}  // namespace

ArrayRequests& ArrayRequests::operator+=(const ArrayRequests& o) {
  for (const auto member : array_members) this->*member += o.*member;
  return *this;
}

void Requests::add(const WarpAccess& access, const Program& program) {
  const StreamRef& ref = *access.ref;
  const Coalesced& what = *access.what;
  if (program.regions[ref.array].shared) {
    ++shared_instructions;
    shared_passes += what.conflicts;
    shared_least += what.least;
    shared_bytes += std::uint64_t{what.lanes} * ref.bytes;
    return;
  }
  l1_cycles += what.cycles;
  lines += what.lines.size();
  ArrayRequests& array = arrays[ref.array];
  const bool load = ref.kind == Kind::load;
  (load ? array.loads : array.stores) += 1;
  (load ? array.load_bytes : array.store_bytes) += std::uint64_t{what.lanes} * ref.bytes;
  (load ? array.load_sectors : array.store_sectors) += what.sectors;
  array.distinct_bytes += what.distinct_bytes;
}

std::uint64_t Requests::instructions() const {
  std::uint64_t total = shared_instructions;
  for (const ArrayRequests& a : arrays) total += a.loads + a.stores;
  return total;
}

Requests& Requests::operator+=(const Requests& o) {
  each_number(*this, o, [](std::uint64_t& own, std::uint64_t other) { own += other; });
  l1_cycles += o.l1_cycles;
  return *this;
}
Requests& Requests::operator-=(const Requests& o) {
  each_number(*this, o, [](std::uint64_t& own, std::uint64_t other) { own -= other; });
  l1_cycles -= o.l1_cycles;
  return *this;
}
Requests& Requests::operator*=(std::uint64_t n) {
  each_number(*this, *this, [n](std::uint64_t& own, std::uint64_t) { own *= n; });
  l1_cycles *= static_cast<double>(n);
  return *this;
}

Requests scaled(Requests requests, double factor) {
  each_number(requests, requests, [factor](std::uint64_t& own, std::uint64_t) {
    own = static_cast<std::uint64_t>(std::llround(static_cast<double>(own) * factor));
  });
  requests.l1_cycles *= factor;
  return requests;
}

Requests requests_of_block(WarpCode& code, const Grid& grid, std::vector<Int> environment,
                           const std::array<std::uint64_t, 3>& block) {
  place_block(code.launch(), grid, block, environment);
  Requests result(code.program());
  WarpWork work{result.warps, result.lanes};
  Warp warp(code, work);
  for (std::uint32_t w = 0; w < code.warps_per_block(); ++w) {
    warp.start(w, environment);
    for (WarpAccess access; warp.next(access);) {
      if (access.ref != nullptr) result.add(access, code.program());
    }
  }
  result.warps = std::move(work.warps);
  result.lanes = std::move(work.lanes);
  return result;
}

namespace {

/// Do all blocks but the last ones along each axis ask for the same?
class Uniform {
 public:
  Uniform(const Launch& launch, const Grid& grid, std::size_t slots, std::uint32_t sector)
      : launch_(launch), sector_(sector), inner_(slots, Interval{-far, far}) {
    for (std::size_t a = 0; a < 3; ++a) {
      const StreamLoop* block = launch.blocks[a];
      const StreamLoop* thread = launch.threads[a];
      if (block == nullptr) continue;
      position_.push_back(block->slot);
      const Trips& trips = grid.trips[a];
      const Int inner_blocks = std::max<Int>(static_cast<Int>(trips.count) - 1, 1);
      const Interval range{trips.first, trips.first + (inner_blocks - 1) * block->step};
      inner_[block->slot] = range;
      if (thread == nullptr || !thread->lower.front().uses(block->slot)) continue;
      position_.push_back(thread->slot);
      inner_[thread->slot] = {range.low, range.high + block->step - 1};
    }
  }

  bool operator()(std::span<const StreamNode> nodes) const {
    return std::ranges::all_of(nodes, [this](const StreamNode& node) {
      if (const auto* guard = std::get_if<StreamGuard>(&node.is))
        return !guard->chance && decided(*guard) && (*this)(guard->body);
      if (const auto* loop = std::get_if<StreamLoop>(&node.is)) {
        const bool together = loop->role == GpuRole::together;  // of a box as large in every inner block
        return (together || (fixed(loop->lower) && fixed(loop->upper))) && (*this)(loop->before) &&
               (*this)(loop->body) && (*this)(loop->after);
      }
      const auto& body = std::get<Body>(node.is);
      return body.defines.empty() &&
             std::ranges::all_of(body.refs, [this](const StreamRef& r) { return aligned(r.address); });
    });
  }

 private:
  static constexpr Int far = Int{1} << 50U;

  [[nodiscard]] bool fixed(const std::vector<Quasi>& bounds) const {
    return std::ranges::none_of(bounds, [this](const Quasi& q) { return uses_any(q, position_); });
  }
  [[nodiscard]] bool decided(const StreamGuard& guard) const {
    return std::ranges::all_of(guard.any_of, [this](const Conjunction& c) {
      return std::ranges::all_of(c, [this](const Quasi& q) {
        if (!uses_any(q, position_)) return true;
        const Interval values = range(q, inner_);
        return values.low >= 0 || values.high < 0;
      });
    });
  }
  [[nodiscard]] bool aligned(const Quasi& address) const {
    for (std::size_t a = 0; a < 3; ++a) {
      const StreamLoop* block = launch_.blocks[a];
      const StreamLoop* thread = launch_.threads[a];
      if (block == nullptr) continue;
      Int per_block = address.coefficient(block->slot);
      if (thread != nullptr && thread->lower.front().uses(block->slot)) per_block += address.coefficient(thread->slot);
      if (per_block * block->step % static_cast<Int>(sector_) != 0) return false;
    }
    return std::ranges::none_of(address.floors, [this](const Floor& f) { return uses_any(f.inner, position_); });
  }

  const Launch& launch_;
  std::uint32_t sector_;
  std::vector<Slot> position_;   ///< slots that say which block it is
  std::vector<Interval> inner_;  ///< their values in inner blocks
};

}  // namespace

std::optional<Requests> census(WarpCode& code, const Grid& grid, const std::vector<Int>& environment,
                               std::uint32_t sector) {
  const Launch& launch = code.launch();
  if (!Uniform(launch, grid, code.program().slots, sector)(launch.thread)) return std::nullopt;
  Requests total(code.program());
  for (unsigned last = 0; last < 8; ++last) {
    std::array<std::uint64_t, 3> block{};
    std::uint64_t times = 1;
    for (std::size_t a = 0; a < 3; ++a) {
      const std::uint64_t count = grid.trips[a].count;
      const bool is_last = (last >> a & 1U) != 0;
      block[a] = is_last ? count - 1 : 0;
      times *= is_last ? 1 : count - 1;
    }
    if (times == 0) continue;
    Requests one = requests_of_block(code, grid, environment, block);
    total += one *= times;
  }
  return total;
}

}  // namespace mansard
