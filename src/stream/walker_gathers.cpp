// Innermost loops with index reads: as one batch where the reads are plain, with the entries of the loop that go on
// where the one before ended; else element by element.
#include <algorithm>

#include "stream/value_of.hpp"
#include "stream/walker.hpp"

namespace mansard {
namespace {

/// An address or table index inside a gathering loop: a stepped part, and coefficient * slot for slots defined in it.
/// Nearly always there is at most one such slot; the others are in `more`.
struct Stepped {
  Int value, step, coefficient;
  Slot slot;
  std::vector<Term> more;

  Int next(const std::vector<Int>& environment) {
    Int result = value + coefficient * environment[slot];
    for (const Term& t : more) result += t.coefficient * environment[t.slot];
    value += step;
    return result;
  }
};

GatherShape gather_shape(const StreamLoop& loop, const Body& body) {
  GatherShape shape;
  for (const StreamDefine& d : body.defines) {
    if (!d.table || std::ranges::any_of(body.defines, [&](auto& other) { return d.at.uses(other.slot); })) return shape;
    shape.steps.push_back(d.at.coefficient(loop.slot) * loop.step);
  }
  for (const StreamRef& r : body.refs) {
    GatherShape::Ref ref{r.address.coefficient(loop.slot) * loop.step, 0, GatherShape::none};
    for (std::size_t d = 0; d < body.defines.size(); ++d) {
      const Int scale = r.address.coefficient(body.defines[d].slot);
      if (scale == 0) continue;
      if (ref.define != GatherShape::none) return shape;
      ref.scale = scale;
      ref.define = d;
    }
    shape.refs.push_back(ref);
  }
  shape.plain = !body.refs.empty();
  return shape;
}

}  // namespace

/// Hands the whole loop out as one batch, if index reads are of the plain kind and inside their tables; with the entry
/// before, if it goes on where that one ended.
bool Walker::gather_run(const StreamLoop& loop, const Body& body, Int first, std::uint64_t count) {
  if (!gathers_[body.id]) gathers_[body.id] = gather_shape(loop, body);
  const GatherShape& shape = *gathers_[body.id];
  if (!shape.plain) return false;
  environment_[loop.slot] = first;
  index_.resize(body.defines.size());
  for (std::size_t d = 0; d < body.defines.size(); ++d) {
    const std::span<const std::int32_t> table = tables_[*body.defines[d].table];
    const Int from = value_of(body.defines[d].at, environment_);
    const Int to = from + static_cast<Int>(count - 1) * shape.steps[d];
    if (std::min(from, to) < 0 || std::max(from, to) >= static_cast<Int>(table.size())) return false;
    index_[d] = table.data() + from;
    environment_[body.defines[d].slot] = 0;
  }
  if (goes_on(body, count)) {
    gathering_.breaks.push_back({gathering_.count, elements_.size()});
  } else {
    flush();
    gathering_.body = &body;
    gathering_.index.clear();
    base_.clear();
    stride_.clear();
    for (std::size_t r = 0; r < shape.refs.size(); ++r) {
      static constexpr std::int32_t nothing = 0;
      const auto [stride, scale, define] = shape.refs[r];
      base_.push_back(value_of(body.refs[r].address, environment_));
      stride_.push_back(stride);
      gathering_.index.push_back(define == GatherShape::none
                                     ? Gather::Index{&nothing, 0, 0}
                                     : Gather::Index{index_[define], shape.steps[define], scale});
    }
  }
  gathering_.count += count;
  executions_[body.id] += count;
  for (std::size_t d = 0; d < body.defines.size(); ++d) {
    environment_[body.defines[d].slot] = index_[d][static_cast<Int>(count - 1) * shape.steps[d]];
  }
  return true;
}

/// Do the next `count` iterations, from this environment and from index_ on, go on where the run that waits ends?
bool Walker::goes_on(const Body& body, std::uint64_t count) {
  if (gathering_.body != &body || gathering_.count + count > batch_size) return false;
  const GatherShape& shape = *gathers_[body.id];
  const auto done = static_cast<Int>(gathering_.count);
  for (std::size_t r = 0; r < shape.refs.size(); ++r) {
    if (value_of(body.refs[r].address, environment_) != base_[r] + done * stride_[r]) return false;
    const std::size_t define = shape.refs[r].define;
    const Gather::Index& index = gathering_.index[r];
    if (define != GatherShape::none && index_[define] - index.at != done * index.step) return false;
  }
  return true;
}

void Walker::gather(const StreamLoop& loop, const Body& body, Int first, std::uint64_t count) {
  if (gather_run(loop, body, first, count)) return;
  executions_[body.id] += count;
  environment_[loop.slot] = first;
  for (const StreamDefine& d : body.defines) environment_[d.slot] = 0;
  const auto step = [&](const Quasi& q) {
    Stepped stepped{q.at(environment_), q.coefficient(loop.slot) * loop.step, 0, 0, {}};
    for (const StreamDefine& d : body.defines) {
      const Int c = q.coefficient(d.slot);
      if (c == 0) continue;
      if (stepped.coefficient == 0) {
        stepped.slot = d.slot;
        stepped.coefficient = c;
      } else {
        stepped.more.push_back({d.slot, c});
      }
    }
    return stepped;
  };
  std::vector<Stepped> defines;
  std::vector<Stepped> refs;
  for (const StreamDefine& d : body.defines) defines.push_back(step(d.at));
  for (const StreamRef& r : body.refs) refs.push_back(step(r.address));
  for (std::uint64_t n = 0; n < count; ++n) {
    for (std::size_t i = 0; i < defines.size(); ++i) define(body.defines[i], defines[i].next(environment_));
    for (std::size_t i = 0; i < refs.size(); ++i) push(body.refs[i], refs[i].next(environment_));
  }
}

}  // namespace mansard
