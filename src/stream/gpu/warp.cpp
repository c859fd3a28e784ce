#include "stream/gpu/warp.hpp"

#include <algorithm>
#include <bit>

#include "stream/gpu/lanes.hpp"

namespace mansard {

void Warp::start(std::uint32_t index, std::span<const Int> environment) {
  index_ = index;
  shape_ = &code_.shapes_[index];
  environment_.assign(environment.begin(), environment.end());
  lanes_.resize(environment.size());
  depth_ = 0;
  body_ = nullptr;
  at_barrier_ = false;
  std::uint64_t mask = shape_->lanes;
  for (std::size_t a = 3; a-- > 0;) {
    const StreamLoop* loop = code_.launch_.threads[a];
    if (loop == nullptr) continue;
    const Trips trips = trips_of(*loop, environment_);
    environment_[loop->slot] = trips.first + shape_->first[a] * loop->step;
    const std::vector<Int>& relative = code_.relatives_[shape_->relative][a];
    if (code_.looks_at_lanes_) {
      std::vector<Int>& values = lanes_[loop->slot];
      values.assign(code_.width_, environment_[loop->slot]);
      add_times(loop->step, relative, values.data());
    }
    if (static_cast<std::uint64_t>(shape_->first[a] + shape_->most[a]) < trips.count) continue;
    each_lane(mask, [&](std::uint32_t lane) {
      if (static_cast<std::uint64_t>(shape_->first[a] + relative[lane]) >= trips.count) mask &= ~bit(lane);
    });
  }
  // Threads beyond the last iteration do nothing, but help to copy.
  if (mask != 0 || code_.barriers_) push(code_.launch_.thread, mask);
}

void Warp::push(std::span<const StreamNode> nodes, std::uint64_t mask) {
  if (depth_ == frames_.size()) frames_.emplace_back();
  Frame& f = frames_[depth_++];
  f.nodes = nodes;
  f.at = 0;
  f.loop = nullptr;
  f.phase = Frame::Phase::once;
  f.outer = mask_;
  mask_ = mask;
}

bool Warp::next(WarpAccess& access, bool with_shared) {
  at_barrier_ = false;
  while (body_ == nullptr || ref_ == body_->refs.size()) {
    body_ = nullptr;
    if (!step()) return false;
    if (at_barrier_) {
      access.ref = nullptr;
      return true;
    }
  }
  WarpCode::RefCode& code = code_.refs_[body_->id][ref_];
  const StreamRef& ref = body_->refs[ref_++];
  access.ref = &ref;
  access.what = nullptr;
  if (!with_shared && code_.is_shared(ref)) return true;
  Int base = 0;
  if (code.affine && flat_address(ref, code, base)) {
    const Int within = base & (code_.period_ - 1);
    access.line = (base - within) / code_.path_.line;
    access.what = &code_.pattern(code, ref, *shape_, mask_, within);
    return true;
  }
  Lanes addresses;
  evaluate(ref.address, addresses);
  std::size_t active = 0;
  each_lane(mask_, [&](std::uint32_t lane) { addresses[active++] = addresses[lane]; });
  const std::span<Int> offsets(addresses.data(), active);
  const Int least = active == 0 ? 0 : *std::ranges::min_element(offsets);
  const Int start = least & ~(code_.period_ - 1);
  for (Int& offset : offsets) offset -= start;
  access.line = start / code_.path_.line;
  access.what = &code_.memo_.coalesced(offsets, ref.bytes, code_.is_shared(ref));
  return true;
}

/// Lane 0's address, if every floor in it has one value for all lanes.
bool Warp::flat_address(const StreamRef& ref, WarpCode::RefCode& code, Int& address) const {
  address = ref.address.constant;
  for (const Term& t : ref.address.terms) address += t.coefficient * environment_[t.slot];
  for (std::size_t f = 0; f < code.floors.size(); ++f) {
    const Floor& floor = ref.address.floors[f];
    WarpCode::FloorCode& own = code.floors[f];
    const Int inner = floor.inner.at(environment_);
    if (inner < own.from || inner - own.from >= floor.divisor) {
      own.step = floor_div(inner, floor.divisor);
      own.from = own.step * floor.divisor;
    }
    const Int above = inner - own.from;
    const std::size_t relative = shape_->relative;
    if (above + own.least[relative] < 0 || above + own.most[relative] >= floor.divisor) return false;
    address += floor.coefficient * own.step;
  }
  return true;
}

void Warp::begin(const Body& body) {
  if (mask_ == 0) return;
  work_.warps[body.id] += 1;
  work_.lanes[body.id] += static_cast<std::uint64_t>(std::popcount(mask_));
  for (const StreamDefine& d : body.defines) define(d);
  body_ = &body;
  ref_ = 0;
}

/// Goes on to the next body or barrier; false at the end.
bool Warp::step() {
  while (depth_ > 0) {
    Frame& f = frame();
    if (f.at == f.nodes.size()) {
      leave_nodes(f);
      if (at_barrier_) return true;
      continue;
    }
    const StreamNode& node = f.nodes[f.at++];
    if (const auto* body = std::get_if<Body>(&node.is)) {
      begin(*body);
      return true;
    }
    if (const auto* guard = std::get_if<StreamGuard>(&node.is)) enter(*guard);
    if (const auto* loop = std::get_if<StreamLoop>(&node.is)) {
      loop->role == GpuRole::together ? enter_together(*loop) : enter(*loop);
      if (at_barrier_) return true;
    }
  }
  return false;
}

void Warp::enter(const StreamGuard& guard) {
  const std::uint64_t lanes = inside(guard);
  if (lanes != 0) push(guard.body, lanes);
}

/// The tightest of a loop's bounds in each lane.
template <class Tighter>
void Warp::bound(const std::vector<Quasi>& bounds, Lanes& values, const Tighter& tighter) const {
  evaluate(bounds.front(), values);
  Lanes other;
  for (const Quasi& q : std::span(bounds).subspan(1)) {
    evaluate(q, other);
    for (std::size_t lane = 0; lane < code_.width_; ++lane) values[lane] = tighter(values[lane], other[lane]);
  }
}

void Warp::enter(const StreamLoop& loop) {
  const std::uint64_t around = mask_;
  push(loop.before, around);
  Frame& f = frame();
  f.loop = &loop;
  f.phase = Frame::Phase::before;
  f.outer = around;
  f.n = 0;
  f.count = 0;
  f.entered = 0;
  f.lane_first.clear();
  if (!code_.lane_slot_[loop.slot]) {
    const Trips trips = trips_of(loop, environment_);
    f.first = trips.first;
    f.count = trips.count;
    f.entered = around;
  } else {
    f.lane_first.resize(code_.width_);
    f.lane_count.assign(code_.width_, 0);
    lanes_[loop.slot].resize(code_.width_);
    Lanes low;
    Lanes high;
    bound(loop.lower, low, [](Int a, Int b) { return std::max(a, b); });
    bound(loop.upper, high, [](Int a, Int b) { return std::min(a, b); });
    each_lane(around, [&](std::uint32_t lane) {
      if (low[lane] > high[lane]) return;
      const Int distance = loop.step > 0 ? loop.step : -loop.step;
      f.lane_first[lane] = loop.step > 0 ? low[lane] : high[lane];
      f.lane_count[lane] = static_cast<std::uint64_t>((high[lane] - low[lane]) / distance) + 1;
      f.count = std::max(f.count, f.lane_count[lane]);
      f.entered |= bit(lane);
    });
  }
  mask_ = f.entered;
  if (f.count == 0) {
    mask_ = f.outer;
    --depth_;
  }
}

void Warp::begin_iteration(Frame& f) {
  f.nodes = f.loop->body;
  f.at = 0;
  const Int step = static_cast<Int>(f.n) * f.loop->step;
  if (f.lane_first.empty()) {
    environment_[f.loop->slot] = f.first + step;
    return;
  }
  mask_ = 0;
  each_lane(f.entered, [&](std::uint32_t lane) {
    if (f.n >= f.lane_count[lane]) return;
    mask_ |= bit(lane);
    lanes_[f.loop->slot][lane] = f.lane_first[lane] + step;
  });
}

/// All warps of the block deal the iterations of the nested loops out among their threads, one each in turn.
void Warp::enter_together(const StreamLoop& loop) {
  const std::uint64_t around = mask_;
  push({}, around);
  Frame& f = frame();
  f.loop = &loop;
  f.phase = Frame::Phase::together;
  f.outer = around;
  f.n = 0;
  f.count = 1;
  f.nested.clear();
  f.lane_first.clear();  // first values of the nested loops
  f.lane_count.clear();  // and their numbers of iterations
  for (const StreamLoop* l = &loop; l != nullptr;) {
    const Trips trips = trips_of(*l, environment_);
    f.nested.push_back(l);
    f.lane_first.push_back(trips.first);
    f.lane_count.push_back(trips.count);
    f.count *= trips.count;
    lanes_[l->slot].resize(code_.width_);
    f.nodes = l->body;
    l = std::get_if<StreamLoop>(&l->body.front().is);
  }
  f.at = f.nodes.size();
  at_barrier_ = true;  // nobody overwrites what others still read
}

/// Gives lane 0 element `first` of what is copied together, and every lane the one after its neighbour's.
void Warp::deal_out(const Frame& f, std::uint64_t first) {
  mask_ = 0;
  if (first >= f.count) return;
  const std::uint64_t lanes = std::min(f.count - first, static_cast<std::uint64_t>(std::popcount(shape_->lanes)));
  iterations_.resize(f.nested.size());
  for (std::size_t d = f.nested.size(); d-- > 0;) {
    iterations_[d] = first % f.lane_count[d];
    first /= f.lane_count[d];
  }
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    mask_ |= bit(lane);
    for (std::size_t d = 0; d < f.nested.size(); ++d) {
      const StreamLoop& loop = *f.nested[d];
      lanes_[loop.slot][lane] = f.lane_first[d] + static_cast<Int>(iterations_[d]) * loop.step;
    }
    for (std::size_t d = f.nested.size(); d-- > 0 && ++iterations_[d] == f.lane_count[d];) iterations_[d] = 0;
  }
}

void Warp::leave_nodes(Frame& f) {
  using Phase = Frame::Phase;
  if (f.phase == Phase::before && f.count > 0) {
    f.phase = Phase::body;
    f.n = 0;
    return begin_iteration(f);
  }
  if (f.phase == Phase::body && ++f.n < f.count) return begin_iteration(f);
  if (f.phase == Phase::body) {
    f.phase = Phase::after;
    mask_ = f.entered;
    f.nodes = f.loop->after;
    f.at = 0;
    return;
  }
  if (f.phase == Phase::together) {
    const std::uint64_t threads = code_.launch_.threads_per_block();
    const std::uint64_t first = f.n * threads + std::uint64_t{index_} * code_.width_;
    ++f.n;
    deal_out(f, first);
    if (mask_ != 0) {
      f.at = 0;
      return;
    }
    at_barrier_ = true;  // everything is there
  }
  mask_ = f.outer;
  --depth_;
}

}  // namespace mansard
