#include <algorithm>
#include <bit>

#include "stream/gpu/warp.hpp"

namespace mansard {

WarpCode::WarpCode(const Program& program, const Launch& launch, std::uint32_t width, const LanePath& path)
    : program_(program),
      launch_(launch),
      width_(width),
      path_(path),
      period_(std::max(path.line, std::max(path.banks * path.bank, path.shared_banks * path.shared_bank))),
      memo_(path) {
  const auto& block = launch.mapping->block;
  const std::uint32_t threads = launch.threads_per_block();
  refs_.resize(program.bodies);
  lane_slot_.assign(program.slots, false);
  thread_slot_varies_.assign(program.slots, false);
  for (std::uint32_t first = 0; first < threads; first += width) {
    Shape shape;
    Coordinates relative;
    for (std::uint32_t lane = 0; lane < width; ++lane) {
      const std::uint32_t t = std::min(first + lane, threads - 1);
      if (first + lane < threads) shape.lanes |= std::uint64_t{1} << lane;
      const std::array<Int, 3> at{t % block[0], t / block[0] % block[1], t / (block[0] * block[1])};
      if (lane == 0) shape.first = at;
      for (std::size_t a = 0; a < 3; ++a) relative[a].push_back(at[a] - shape.first[a]);
    }
    const auto known = std::ranges::find(relatives_, relative);
    shape.relative = static_cast<std::size_t>(known - relatives_.begin());
    if (known == relatives_.end()) relatives_.push_back(std::move(relative));
    for (std::size_t a = 0; a < 3; ++a) shape.most[a] = std::ranges::max(relatives_[shape.relative][a]);
    shapes_.push_back(shape);
  }
  for (std::size_t a = 0; a < 3; ++a) {
    const StreamLoop* loop = launch.threads[a];
    if (loop == nullptr) continue;
    thread_slot_[a] = loop->slot;
    thread_step_[a] = loop->step;
    thread_slot_varies_[loop->slot] = std::ranges::any_of(
        relatives_, [a](const Coordinates& r) { return std::ranges::any_of(r[a], [](Int c) { return c != 0; }); });
  }
  // Values that depend on lanes make others depend on them: until nothing changes.
  for (std::vector<bool> before; before != lane_slot_;) {
    before = lane_slot_;
    scan(launch.thread);
  }
  for (Slot s = 0; s < program.slots; ++s)
    per_lane_.push_back(static_cast<std::uint8_t>(lane_slot_[s] || thread_slot_varies_[s]));
}

bool WarpCode::varies(const Quasi& q) const {
  return std::ranges::any_of(q.terms,
                             [&](const Term& t) { return lane_slot_[t.slot] || thread_slot_varies_[t.slot]; }) ||
         std::ranges::any_of(q.floors, [&](const Floor& f) { return varies(f.inner); });
}

/// Is it affine in the threads' coordinates, but for floors of what is?
bool WarpCode::is_affine(const Quasi& q) const {
  const auto plain = [this](const Quasi& p) {
    return std::ranges::none_of(p.terms, [this](const Term& t) { return lane_slot_[t.slot]; });
  };
  return plain(q) && std::ranges::all_of(q.floors, [&](const Floor& f) {
           return plain(f.inner) &&
                  std::ranges::none_of(f.inner.floors, [this](const Floor& g) { return varies(g.inner); });
         });
}

std::array<Int, 3> WarpCode::growth(const Quasi& q) const {
  std::array<Int, 3> result{};
  for (std::size_t a = 0; a < 3; ++a) {
    if (launch_.threads[a] != nullptr) result[a] = q.coefficient(thread_slot_[a]) * thread_step_[a];
  }
  return result;
}

WarpCode::FloorCode WarpCode::floor_code(const Floor& floor) const {
  FloorCode code;
  const std::array<Int, 3> per_thread = growth(floor.inner);
  for (const Coordinates& relative : relatives_) {
    Int least = 0;
    Int most = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const auto [low, high] = std::ranges::minmax(relative[a]);
      least += std::min(per_thread[a] * low, per_thread[a] * high);
      most += std::max(per_thread[a] * low, per_thread[a] * high);
    }
    code.least.push_back(least);
    code.most.push_back(most);
  }
  return code;
}

void WarpCode::scan(std::span<const StreamNode> nodes) {
  const auto any_varies = [this](const std::vector<Quasi>& list) {
    return std::ranges::any_of(list, [this](const Quasi& q) { return varies(q); });
  };
  for (const StreamNode& node : nodes) {
    if (const auto* guard = std::get_if<StreamGuard>(&node.is)) {
      looks_at_lanes_ = true;
      scan(guard->body);
    }
    if (const auto* loop = std::get_if<StreamLoop>(&node.is)) {
      const bool together = loop->role == GpuRole::together;
      barriers_ = barriers_ || together;
      looks_at_lanes_ = looks_at_lanes_ || together;
      if (together || any_varies(loop->lower) || any_varies(loop->upper))
        lane_slot_[loop->slot] = looks_at_lanes_ = true;
      const bool irregular = irregular_;
      scan(loop->before);
      scan(loop->body);
      scan(loop->after);
      if (together) irregular_ = irregular;  // what a block copies is little beside what it then does
    }
    if (const auto* body = std::get_if<Body>(&node.is)) scan(*body);
  }
}

void WarpCode::scan(const Body& body) {
  for (const StreamDefine& d : body.defines) {
    if (varies(d.at)) lane_slot_[d.slot] = looks_at_lanes_ = true;
  }
  refs_[body.id].resize(body.refs.size());
  for (std::size_t r = 0; r < body.refs.size(); ++r) {
    const StreamRef& ref = body.refs[r];
    RefCode& code = refs_[body.id][r];
    code.affine = is_affine(ref.address);
    code.floors.clear();
    for (const Floor& f : ref.address.floors) code.floors.push_back(floor_code(f));
    const bool irregular =
        !code.affine || std::ranges::any_of(ref.address.floors, [this](const Floor& f) { return varies(f.inner); });
    irregular_ = irregular_ || irregular;
    looks_at_lanes_ = looks_at_lanes_ || irregular;
    code.full.resize(relatives_.size());
    code.per_thread = growth(ref.address);
  }
}

const Coalesced& WarpCode::pattern(RefCode& code, const StreamRef& ref, const Shape& shape, std::uint64_t mask,
                                   Int within) {
  const bool all = mask == (width_ == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width_) - 1);
  std::unique_ptr<Coalesced>* place = nullptr;
  if (all) {
    auto& residues = code.full[shape.relative];
    if (residues.empty()) residues.resize(static_cast<std::size_t>(period_));
    place = &residues[static_cast<std::size_t>(within)];
  } else {
    place = &code.masked[{mask, shape.relative, static_cast<std::uint64_t>(within)}];
  }
  if (*place == nullptr) {
    const Coordinates& relative = relatives_[shape.relative];
    std::vector<Int> offsets;
    for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      Int offset = within;
      for (std::size_t a = 0; a < 3; ++a) offset += code.per_thread[a] * relative[a][lane];
      offsets.push_back(offset);
    }
    *place = std::make_unique<Coalesced>(coalesce(offsets, ref.bytes, path_, is_shared(ref)));
  }
  return **place;
}

}  // namespace mansard
