#include "stream/walker.hpp"

#include <algorithm>
#include <cstdlib>

#include "input/diagnostic.hpp"
#include "stream/value_of.hpp"
#include "units/mix.hpp"

namespace mansard {
namespace {

Int first_of(const std::vector<Quasi>& lower, std::span<const Int> environment) {
  Int value = value_of(lower.front(), environment);
  for (std::size_t i = 1; i < lower.size(); ++i) value = std::max(value, value_of(lower[i], environment));
  return value;
}
Int last_of(const std::vector<Quasi>& upper, std::span<const Int> environment) {
  Int value = value_of(upper.front(), environment);
  for (std::size_t i = 1; i < upper.size(); ++i) value = std::min(value, value_of(upper[i], environment));
  return value;
}

bool holds(const Conjunction& conjunction, std::span<const Int> environment) {
  return std::ranges::all_of(conjunction, [&](const Quasi& q) { return q.at(environment) >= 0; });
}

bool floor_uses(const Quasi& q, Slot slot) {
  return std::ranges::any_of(q.floors, [slot](const Floor& f) { return f.inner.uses(slot); });
}

/// Can the body's addresses be stepped through with constant strides in `slot`?
bool is_run(const Body& body, Slot slot) {
  return body.defines.empty() &&
         std::ranges::none_of(body.refs, [slot](const StreamRef& r) { return floor_uses(r.address, slot); });
}

/// … or at least from one step of a floor to the next, with few steps, as in a[(i + 1) % N]?
bool is_run_in_pieces(const Body& body, const StreamLoop& loop, std::uint64_t count) {
  constexpr std::uint64_t most_steps = 4;  // of a floor
  const auto steps_seldom = [&](const Floor& f) {
    if (!f.inner.uses(loop.slot)) return true;
    const auto move = static_cast<std::uint64_t>(std::abs(f.inner.coefficient(loop.slot) * loop.step));
    return f.inner.is_affine() && move * count <= most_steps * static_cast<std::uint64_t>(f.divisor);
  };
  return body.defines.empty() && std::ranges::all_of(body.refs, [&](const StreamRef& r) {
           return std::ranges::all_of(r.address.floors, steps_seldom);
         });
}

/// Iterations of the loop, from its present one, until floor(f.inner / f.divisor) is another number; `most` if it
/// stays.
std::uint64_t iterations_of_floor(const Floor& f, const StreamLoop& loop, std::span<const Int> environment,
                                  std::uint64_t most) {
  const Int move = f.inner.coefficient(loop.slot) * loop.step;
  if (move == 0) return most;
  const Int value = value_of(f.inner, environment);
  const Int above = value - floor_div(value, f.divisor) * f.divisor;
  const Int room = move > 0 ? f.divisor - 1 - above : above;
  return std::min(most, static_cast<std::uint64_t>(room / std::abs(move)) + 1);
}

/// Can every expression of the body be stepped through but for the slots defined in it, and is none of these read
/// before its definition?
bool is_gather(const Body& body, Slot slot) {
  std::vector<Slot> defined;
  const auto plain = [&](const Quasi& q) {
    return std::ranges::none_of(q.floors, [&](const Floor& f) {
      return f.inner.uses(slot) || std::ranges::any_of(body.defines, [&](auto& d) { return f.inner.uses(d.slot); });
    });
  };
  for (const StreamDefine& d : body.defines) {
    const bool early = std::ranges::any_of(body.defines, [&](const StreamDefine& other) {
      return d.at.uses(other.slot) && std::ranges::find(defined, other.slot) == defined.end();
    });
    if (early || !plain(d.at)) return false;
    defined.push_back(d.slot);
  }
  return std::ranges::all_of(body.refs, [&](const StreamRef& r) { return plain(r.address); });
}

}  // namespace

Trips trips_of(const StreamLoop& loop, std::span<const Int> environment) {
  const Int low = first_of(loop.lower, environment);
  const Int high = last_of(loop.upper, environment);
  if (low > high) return {low, 0};
  const Int first = loop.step > 0 ? low : high;
  const Int distance = loop.step > 0 ? loop.step : -loop.step;
  return {first, static_cast<std::uint64_t>((high - low) / distance) + 1};
}

Int defined_value(const Program& program, const StreamDefine& define, Int at) {
  if (!define.table) return at;
  const auto& table = *program.tables[*define.table];
  if (at < 0 || static_cast<std::uint64_t>(at) >= table.size()) {
    throw InputError({}, "an index read falls outside its table: element " + std::to_string(at) + " of " +
                             std::to_string(table.size()));
  }
  return table[static_cast<std::size_t>(at)];
}

bool taken(const Chance& chance, std::span<const Int> environment, std::uint64_t seed) {
  std::uint64_t hash = mix(seed + 0x9e3779b97f4a7c15ULL * (chance.site + 1));
  for (const Slot s : chance.over)
    hash = mix(hash + 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(environment[s]));
  constexpr double two_to_64 = 18446744073709551616.0;
  return (static_cast<double>(hash) < chance.ratio * two_to_64) != chance.negated;
}

Walker::Walker(const Program& program, LoopHook* hook)
    : program_(program),
      hook_(hook),
      environment_(program.slots),
      executions_(program.bodies),
      gathers_(program.bodies) {
  elements_.reserve(batch_size);
  for (const IndexData& table : program.tables) tables_.emplace_back(*table);
}

void Walker::walk(const Nest& nest, const Sink& sink) {
  sink_ = &sink;
  visit(nest.nodes);
  flush();
}

void Walker::walk(std::span<const StreamNode> nodes) {
  visit(nodes);
  flush();
}

void Walker::visit(std::span<const StreamNode> nodes) {
  for (const StreamNode& node : nodes) {
    std::visit([this](const auto& n) { visit(n); }, node.is);
  }
}

bool Walker::enters(const StreamGuard& guard) const {
  return guard.chance ? taken(*guard.chance, environment_, program_.seed)
                      : std::ranges::any_of(guard.any_of, [&](auto& c) { return holds(c, environment_); });
}

void Walker::visit(const StreamGuard& guard) {
  if (enters(guard)) visit(guard.body);
}

void Walker::visit(const Body& body) {
  ++executions_[body.id];
  for (const StreamDefine& d : body.defines) define(d, value_of(d.at, environment_));
  for (const StreamRef& ref : body.refs) push(ref, value_of(ref.address, environment_));
}

void Walker::visit(const StreamLoop& loop) {
  const auto [first, count] = trips(loop);
  if (count == 0) return;

  visit(loop.before);
  const Body* body = loop.body.size() == 1 ? std::get_if<Body>(&loop.body.front().is) : nullptr;
  const bool gathers = body != nullptr && gathers_[body->id];  // as was found before
  if (!gathers && body != nullptr && is_run(*body, loop.slot)) {
    run(loop, *body, first, count);
  } else if (!gathers && body != nullptr && is_run_in_pieces(*body, loop, count)) {
    run_in_pieces(loop, *body, first, count);
  } else if (gathers || (body != nullptr && is_gather(*body, loop.slot))) {
    gather(loop, *body, first, count);
  } else if (!hooked(loop, first, count)) {
    Int value = first;
    for (std::uint64_t n = 0; n < count; ++n, value += loop.step) {
      environment_[loop.slot] = value;
      visit(loop.body);
    }
  }
  visit(loop.after);
}

bool Walker::hooked(const StreamLoop& loop, Int first, std::uint64_t count) {
  if (hook_ == nullptr) return false;
  flush();
  return hook_->loop(loop, first, count, *this);
}

void Walker::iterate(const StreamLoop& loop, Int value) {
  environment_[loop.slot] = value;
  visit(loop.body);
  flush();
}

void Walker::repeat_executions(const std::vector<std::uint64_t>& before, std::uint64_t times) {
  for (std::size_t b = 0; b < executions_.size(); ++b) executions_[b] += (executions_[b] - before[b]) * times;
}

void Walker::run(const StreamLoop& loop, const Body& body, Int first, std::uint64_t count) {
  executions_[body.id] += count;
  environment_[loop.slot] = first;
  if (body.refs.empty()) return;
  flush();
  base_.clear();
  stride_.clear();
  for (const StreamRef& ref : body.refs) {
    base_.push_back(value_of(ref.address, environment_));
    stride_.push_back(ref.address.coefficient(loop.slot) * loop.step);
  }
  (*sink_)(Run{body.refs, base_, stride_, count});
}

void Walker::run_in_pieces(const StreamLoop& loop, const Body& body, Int first, std::uint64_t count) {
  for (std::uint64_t n = 0; n < count;) {
    const Int value = first + static_cast<Int>(n) * loop.step;
    environment_[loop.slot] = value;
    std::uint64_t piece = count - n;
    for (const StreamRef& ref : body.refs) {
      for (const Floor& f : ref.address.floors) piece = iterations_of_floor(f, loop, environment_, piece);
    }
    run(loop, body, value, piece);
    n += piece;
  }
}

void Walker::define(const StreamDefine& define, Int at) {
  const bool known = define.table && static_cast<std::uint64_t>(at) < tables_[*define.table].size();
  environment_[define.slot] =
      known ? tables_[*define.table][static_cast<std::size_t>(at)] : defined_value(program_, define, at);
}

void Walker::push(const StreamRef& ref, Int address) {
  if (elements_.size() == batch_size) flush();
  elements_.push_back({static_cast<std::uint64_t>(address), ref.array, ref.bytes, ref.kind});
}

void Walker::flush() {
  if (gathering_.body != nullptr) {
    const Gather gather{gathering_.body->refs, base_,    stride_, gathering_.index, gathering_.count,
                        gathering_.breaks,     elements_};
    gathering_.body = nullptr;
    gathering_.count = 0;
    (*sink_)(gather);
    gathering_.breaks.clear();
  } else if (!elements_.empty()) {
    (*sink_)(std::span<const Element>(elements_));
  }
  elements_.clear();
}

}  // namespace mansard
