#include "cache/resident.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "cache/line_table.hpp"
#include "cache/touch_chooser.hpp"
#include "stream/walker.hpp"

namespace mansard {
namespace {

constexpr std::uint64_t most_accesses = std::uint64_t{1} << 20U;  // of a nest: it is looked at access by access, once
constexpr std::uint64_t least_reuse = 8;                          // accesses a line, or other ways are as good
constexpr std::size_t most_shapes = 8;                            // remembered of a loop
constexpr std::uint64_t most_planned = std::uint64_t{1} << 14U;   // accesses of a nest that touches are chosen of
constexpr std::size_t most_touches = std::size_t{1} << 20U;       // in all plans: 16 MiB

bool steps_evenly(const Quasi& address, const std::vector<Slot>& slots) {
  return std::ranges::none_of(address.floors, [&](const Floor& f) { return uses_any(f.inner, slots); });
}

}  // namespace

ResidentNests::ResidentNests(const LevelGeometry& first, std::uint32_t line_bytes)
    : index_(first.sets), sets_(first.sets), ways_(first.ways), line_bytes_(line_bytes) {}

/// Lists the parts of the nest; false if it is not of the kind that is handled here.
bool ResidentNests::collect(const std::vector<StreamNode>& nodes, Nest& nest, std::vector<Slot>& inside) const {
  for (const StreamNode& node : nodes) {
    if (const auto* body = std::get_if<Body>(&node.is)) {
      if (!body->defines.empty()) return false;
      nest.parts.push_back({nullptr, body, 0, nest.refs.size()});
      for (const StreamRef& ref : body->refs) {
        if (ref.kind == Kind::nontemporal || !steps_evenly(ref.address, inside)) return false;
        nest.refs.push_back(&ref);
      }
    } else if (const auto* loop = std::get_if<StreamLoop>(&node.is)) {
      if (std::ranges::find(inside, loop->slot) != inside.end()) return false;
      const auto varies = [&](const Quasi& q) { return uses_any(q, inside); };
      if (std::ranges::any_of(loop->lower, varies) || std::ranges::any_of(loop->upper, varies)) return false;
      if (!collect(loop->before, nest, inside)) return false;
      const std::size_t at = nest.parts.size();
      nest.parts.push_back({loop, nullptr, 0, 0});
      nest.loops.push_back(loop);
      inside.push_back(loop->slot);
      if (!collect(loop->body, nest, inside)) return false;
      nest.parts[at].end = nest.parts.size();
      if (!collect(loop->after, nest, inside)) return false;
    } else {
      return false;
    }
  }
  return true;
}

ResidentNests::Memory& ResidentNests::memory(const StreamLoop& loop) {
  const auto found = memories_.find(&loop);
  if (found != memories_.end()) return found->second;
  Memory memory;
  std::vector<Slot> inside{loop.slot};
  memory.nest.rectangular = collect(loop.body, memory.nest, inside) && !memory.nest.refs.empty();
  return memories_.emplace(&loop, std::move(memory)).first->second;
}

/// Takes down where the nest is and what shape it has now. False if a loop is empty (its hoisted accesses do not happen
/// then) or an access straddles lines.
bool ResidentNests::enter(const Nest& nest, const StreamLoop& loop, Int first, std::uint64_t count,
                          std::span<const Int> environment) {
  environment_.assign(environment.begin(), environment.end());
  environment_[loop.slot] = first;
  shape_.counts.assign(1, count);
  for (const StreamLoop* inner : nest.loops) {
    const Trips trips = trips_of(*inner, environment_);
    if (trips.count == 0) return false;
    environment_[inner->slot] = trips.first;
    shape_.counts.push_back(trips.count);
  }
  shape_.phases.clear();
  base_.clear();
  array_.clear();
  origin_.clear();
  std::vector<std::uint16_t> arrays;  // of the nest
  std::vector<Int> bases;             // of their first references
  for (const StreamRef* ref : nest.refs) {
    const Int base = ref->address.at(environment_);
    if (!std::has_single_bit(ref->bytes) || base % ref->bytes != 0) return false;
    const auto known = std::ranges::find(arrays, ref->array);
    const auto index = static_cast<std::size_t>(known - arrays.begin());
    if (known == arrays.end()) {
      arrays.push_back(ref->array);
      bases.push_back(base);
      origin_.push_back(floor_div(base, line_bytes_));
    }
    base_.push_back(base);
    array_.push_back(static_cast<std::uint16_t>(index));
    shape_.phases.push_back(base - floor_div(base, line_bytes_) * line_bytes_);
    shape_.phases.push_back(base - bases[index]);
  }
  return true;
}

/// Runs a nest access by access and notes the first and the last touch of every line.
class ResidentNests::Recorder {
 public:
  Recorder(const ResidentNests& nests, const Nest& nest, const StreamLoop& loop) : nests_(nests), nest_(nest) {
    loops_.assign(1, &loop);
    loops_.insert(loops_.end(), nest.loops.begin(), nest.loops.end());
    for (const StreamRef* ref : nest.refs) {
      strides_.emplace_back();
      for (const StreamLoop* l : loops_) strides_.back().push_back(ref->address.coefficient(l->slot) * l->step);
    }
    at_ = nests.base_;
  }

  /// Does the nest fit into the cache, and is that of use?
  bool record(Known& known) {
    const std::uint64_t accesses = count(known);
    if (accesses > most_accesses || !aligned()) return false;
    most_lines_ = std::min(nests_.sets_ * nests_.ways_, accesses / least_reuse);
    if (accesses <= most_planned) all_ = &known.all;
    run(0, 0, nest_.parts.size());
    if (lines_.size() > most_lines_) return false;
    std::vector<std::size_t> order(lines_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (const Line& l : lines_) known.first.push_back(l.touch);
    std::ranges::sort(order, {}, [&](std::size_t l) { return lines_[l].last; });
    for (const std::size_t l : order) {
      known.last.push_back(lines_[l].touch);
      known.last.back().kind = lines_[l].stored ? Event::store : Event::demand;
    }
    return true;
  }

 private:
  struct Line {
    Touch touch;
    std::uint64_t last;
    bool stored;
  };

  /// Accesses of the whole nest; fills in what it asks for.
  std::uint64_t count(Known& known) const {
    std::uint64_t all = 0;
    std::vector<std::pair<std::size_t, std::uint64_t>> open{{nest_.parts.size(), nests_.shape_.counts[0]}};
    std::size_t loop = 0;
    for (std::size_t p = 0; p < nest_.parts.size(); ++p) {
      while (open.back().first <= p) open.pop_back();
      const Part& part = nest_.parts[p];
      const std::uint64_t times = open.back().second;
      if (part.loop != nullptr) {
        const std::uint64_t own = nests_.shape_.counts[++loop];
        if (own > most_accesses || times * own > most_accesses) return most_accesses + 1;
        open.emplace_back(part.end, times * own);
        continue;
      }
      known.bodies.emplace_back(part.body->id, times);
      for (const StreamRef& ref : part.body->refs)
        known.requested.push_back({ref.array, ref.kind, times, times * ref.bytes});
      all += times * part.body->refs.size();
      if (all > most_accesses) return all;
    }
    return all;
  }

  /// No access may straddle two lines: bases are checked already, strides must be multiples as well.
  [[nodiscard]] bool aligned() const {
    for (std::size_t r = 0; r < strides_.size(); ++r) {
      const Int bytes = nest_.refs[r]->bytes;
      if (bytes > nests_.line_bytes_) return false;
      if (std::ranges::any_of(strides_[r], [bytes](Int s) { return s % bytes != 0; })) return false;
    }
    return true;
  }

  /// Parts [from, to) as often as loop number `loop` says. Returns the number of the last loop inside.
  std::size_t run(std::size_t loop, std::size_t from, std::size_t to) {
    std::size_t last = loop;
    const std::uint64_t times = nests_.shape_.counts[loop];
    for (std::uint64_t n = 0; n < times && lines_.size() <= most_lines_; ++n) {
      last = loop;
      for (std::size_t p = from; p < to;) {
        const Part& part = nest_.parts[p];
        if (part.loop != nullptr) {
          last = run(last + 1, p + 1, part.end);
          p = part.end;
        } else {
          for (std::size_t r = 0; r < part.body->refs.size(); ++r) touch(part.first_ref + r);
          ++p;
        }
      }
      move(loop, 1);
    }
    move(loop, -static_cast<Int>(times));
    return last;
  }
  void move(std::size_t loop, Int times) {
    for (std::size_t r = 0; r < at_.size(); ++r) at_[r] += strides_[r][loop] * times;
  }

  void touch(std::size_t r) {
    if (lines_.size() > most_lines_) return;
    const Int line = floor_div(at_[r], nests_.line_bytes_);
    const bool store = nest_.refs[r]->kind == Kind::store;
    // By array: whether lines of two arrays are one line depends on where they are.
    const std::uint16_t array = nests_.array_[r];
    const std::uint64_t key = static_cast<std::uint64_t>(line) * nests_.origin_.size() + array;
    LineTable::Id id = table_.find(key);
    if (id == LineTable::none) {
      id = static_cast<LineTable::Id>(lines_.size());
      table_.insert(key, id);
      lines_.push_back({{array, store ? Event::store : Event::demand, line - nests_.origin_[array]}, 0, false});
    }
    if (all_ != nullptr) {
      all_->push_back(lines_[id].touch);
      all_->back().kind = store ? Event::store : Event::demand;
    }
    lines_[id].last = ++time_;
    lines_[id].stored = lines_[id].stored || store;
  }

  const ResidentNests& nests_;
  const Nest& nest_;
  std::vector<const StreamLoop*> loops_;
  std::vector<std::vector<Int>> strides_;  // [ref][loop]
  std::vector<Int> at_;                    // [ref] present address
  LineTable table_;
  std::vector<Line> lines_;  // in the order of their first touches
  std::vector<Touch>* all_ = nullptr;
  std::uint64_t most_lines_ = 0, time_ = 0;
};

/// Does every set get at most as many lines as it has ways? Lines of two arrays that are one line are counted twice.
bool ResidentNests::spread_over_sets(const Known& known) {
  in_set_.assign(sets_, 0);
  return std::ranges::all_of(known.first, [&](const Touch& t) {
    const auto line = static_cast<std::uint64_t>(origin_[t.array] + t.line);
    return ++in_set_[index_(line)] <= ways_;
  });
}

const ResidentNests::Execution* ResidentNests::find(const StreamLoop& loop, Int first, std::uint64_t count,
                                                    std::span<const Int> environment) {
  Memory& memory = this->memory(loop);
  if (!memory.nest.rectangular || !enter(memory.nest, loop, first, count, environment)) return nullptr;
  auto known = std::ranges::find(memory.known, shape_, &Known::shape);
  if (known == memory.known.end()) {
    if (memory.seen != shape_) {  // a shape that comes once is not worth the work
      memory.seen = shape_;
      return nullptr;
    }
    if (memory.known.size() == most_shapes) memory.known.pop_back();
    Known found;
    found.fits = Recorder(*this, memory.nest, loop).record(found);
    found.shape = shape_;
    memory.known.insert(memory.known.begin(), std::move(found));
    known = memory.known.begin();
  }
  if (!known->fits) return nullptr;
  events_.clear();
  if (spread_over_sets(*known)) {
    push(known->first);
    push(known->last);
  } else {
    const Plan& plan = this->plan(*known);
    if (!plan.useful) return nullptr;
    push(plan.touches);
  }
  execution_ = {events_, known->requested, known->bodies};
  return &execution_;
}

void ResidentNests::push(const std::vector<Touch>& touches) {
  for (const Touch& t : touches) {
    events_.push_back(Event::of(static_cast<std::uint64_t>(origin_[t.array] + t.line), t.kind));
  }
}

/// The plan for where the arrays are now. It is made when it is asked for a second time, and not useful before.
const ResidentNests::Plan& ResidentNests::plan(Known& known) {
  distances_.clear();
  const auto set_of = [&](Int line) { return index_(static_cast<std::uint64_t>(line)); };
  for (const Int line : origin_) distances_.push_back((set_of(line) + sets_ - set_of(origin_[0])) % sets_);
  const auto [found, is_new] = known.plans.try_emplace(distances_);
  Plan& plan = found->second;
  planned_ += is_new ? 1U : 0U;
  if (is_new || plan.made || known.all.empty() || planned_ > most_touches) return plan;
  plan.made = plan.useful = true;
  TouchChooser chooser(ways_);
  for (const Touch& t : known.all) plan.useful = plan.useful && chooser.touch(set_of(origin_[t.array] + t.line), t);
  if (plan.useful) plan.touches = chooser.kept();
  plan.useful = plan.useful && plan.touches.size() * least_reuse / 2 <= known.all.size();
  if (!plan.useful) plan.touches.clear();
  planned_ += plan.touches.size();
  return plan;
}

}  // namespace mansard
