#include "schedule/gpu_mapping.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/affine/homes.hpp"
#include "schedule/rewrite.hpp"
#include "schedule/unroll.hpp"

namespace mansard {
namespace {

constexpr const char* axis_names = "xyz";

Slot new_slot(Kernel& kernel, const std::string& name) {
  kernel.slots.push_back(name);
  return static_cast<Slot>(kernel.slots.size() - 1);
}

bool bounds_use(const Loop& loop, Slot slot) {
  const auto uses = [slot](const Quasi& q) { return q.uses(slot); };
  return std::ranges::any_of(loop.lower, uses) || std::ranges::any_of(loop.upper, uses) ||
         std::ranges::any_of(loop.reads, [&](const Define& d) { return std::ranges::any_of(d.subscripts, uses); });
}

/// Copies of a body for several values of one slot, moved into the innermost loops that all copies run alike.
class Jam {
 public:
  Jam(const Loop& loop, std::vector<Int> offsets, std::vector<Quasi> last, CopiedScalars& copied,
      std::vector<ScalarId> own)
      : slot_(loop.slot),
        name_(loop.name),
        offsets_(std::move(offsets)),
        last_(std::move(last)),
        copied_(copied),
        own_(std::move(own)) {}

  std::vector<Node> operator()(const std::vector<Node>& nodes) const {
    std::vector<Node> result;
    std::vector<Node> straight;
    for (const Node& node : nodes) {
      const auto* loop = std::get_if<Loop>(&node.is);
      if (loop == nullptr || bounds_use(*loop, slot_)) {
        straight.push_back(node);
        continue;
      }
      copy(straight, result);
      straight.clear();
      Loop jammed = *loop;
      jammed.body = (*this)(loop->body);
      result.push_back({std::move(jammed)});
    }
    copy(straight, result);
    return result;
  }

 private:
  void copy(const std::vector<Node>& straight, std::vector<Node>& to) const {
    if (straight.empty()) return;
    for (std::size_t c = 0; c < offsets_.size(); ++c) {
      const Int offset = offsets_[c];
      std::vector<Node> copies = copied_.copy(straight, own_, name_, static_cast<Int>(c));
      if (offset != 0) copies = substituted(copies, {{slot_, Quasi::of_slot(slot_) + Quasi(offset)}});
      if (offset != 0 && !last_.empty()) {
        Guard inside;
        Conjunction within;
        for (const Quasi& last : last_) within.push_back(last - Quasi::of_slot(slot_) - Quasi(offset));
        inside.any_of = {std::move(within)};
        inside.body = std::move(copies);
        to.push_back({std::move(inside)});
      } else {
        for (Node& node : copies) to.push_back(std::move(node));
      }
    }
  }

  Slot slot_;
  std::string name_;
  std::vector<Int> offsets_;
  std::vector<Quasi> last_;  ///< a copy runs if it does not pass these; none: all run
  CopiedScalars& copied_;
  std::vector<ScalarId> own_;  ///< scalars that live through the loops into which the copies move
};

/// Do blocks of so many iterations always fit?
bool divides(const Loop& loop, Int span) {
  if (loop.lower.size() != 1 || loop.upper.size() != 1) return false;
  const Quasi length = loop.upper.front() - loop.lower.front();
  return length.is_constant() && (length.constant / loop.step + 1) % span == 0 && length.constant >= 0;
}

class Mapper {
 public:
  Mapper(Kernel& kernel, const GpuAxes& axes, const GpuMapping& mapping)
      : kernel_(kernel), axes_(axes), mapping_(mapping), copied_(kernel) {}

  void rewrite(Loop& nest, const std::vector<Loop*>& band, const std::array<std::optional<std::size_t>, 3>& place) {
    std::size_t first = band.size();
    std::size_t last = 0;
    for (const auto& p : place) {
      if (!p) continue;
      first = std::min(first, *p);
      last = std::max(last, *p + 1);
    }
    std::vector<Loop> host;
    std::vector<Loop> inner;
    for (std::size_t n = 0; n < last; ++n) {
      if (std::ranges::find(place, std::optional(n)) != place.end()) continue;
      Loop copy = *band[n];
      copy.body.clear();
      (n < first ? host : inner).push_back(std::move(copy));
    }
    // What remains below the last mapped loop; with `lanes` and nothing else mapped, the nest itself.
    std::vector<Node> body;
    if (last > 0) body = std::move(band[last - 1]->body);
    for (const auto& [id, loops] : homes(kernel_, body)) own_.push_back(id);
    std::vector<Loop> blocks;
    std::vector<Loop> threads;
    for (std::size_t a = 3; a-- > 0;) {
      if (axes_[a].lanes) share_lanes(a, body, threads);
    }
    for (std::size_t n = inner.size(); n-- > 0;) body = wrap(std::move(inner[n]), std::move(body));
    for (std::size_t a = 3; a-- > 0;) {
      if (place[a]) body = map_axis(a, *band[*place[a]], std::move(body), blocks, threads);
    }
    if (!blocks.empty()) blocks.front().launch = std::make_shared<const GpuMapping>(mapping_);
    std::ranges::stable_sort(threads, [](const Loop& l, const Loop& r) { return l.axis > r.axis; });
    std::vector<Loop> all = std::move(host);
    for (auto* list : {&blocks, &threads}) {
      for (Loop& loop : *list) all.push_back(std::move(loop));
    }
    for (std::size_t n = all.size(); n-- > 1;) body = wrap(std::move(all[n]), std::move(body));
    all.front().body = std::move(body);
    nest = std::move(all.front());
  }

 private:
  static std::vector<Node> wrap(Loop loop, std::vector<Node> body) {
    loop.body = std::move(body);
    std::vector<Node> result;
    result.push_back({std::move(loop)});
    return result;
  }

  Loop new_loop(const std::string& name, const Position& at, GpuRole role, std::size_t axis) {
    Loop loop;
    loop.name = name;
    loop.slot = new_slot(kernel_, name);
    loop.role = role;
    loop.axis = static_cast<std::uint8_t>(axis);
    loop.at = at;
    return loop;
  }

  /// Appends the axis' block and thread loops, and returns the body in terms of them.
  std::vector<Node> map_axis(std::size_t a, const Loop& old, std::vector<Node> body, std::vector<Loop>& blocks,
                             std::vector<Loop>& threads) {
    const GpuAxis& axis = axes_[a];
    const Int threads_here = axis.threads;
    Loop block = new_loop(old.name + "b", old.at, GpuRole::block, a);
    if (axis.grid) {
      // Thread t of block b starts at iteration b * threads + t and goes on by the width of the grid.
      Loop thread = new_loop(old.name + "l", old.at, GpuRole::thread, a);
      block.lower = {Quasi(0)};
      block.upper = {Quasi(*axis.grid - 1)};
      thread.lower = {Quasi(0)};
      thread.upper = {Quasi(threads_here - 1)};
      const Quasi start = old.lower.front() + Quasi::of_slot(block.slot) * (threads_here * old.step) +
                          Quasi::of_slot(thread.slot) * old.step;
      const Int width = *axis.grid * threads_here * old.step;
      blocks.push_back(std::move(block));
      threads.push_back(std::move(thread));
      return stride(old, start, width, std::move(body));
    }
    const Int span = threads_here * axis.fold * axis.coarsen;
    block.lower = old.lower;
    block.upper = old.upper;
    block.step = span * old.step;
    Loop thread = old;
    thread.body.clear();
    thread.role = GpuRole::thread;
    thread.axis = static_cast<std::uint8_t>(a);
    thread.step = axis.fold * old.step;
    thread.lower = {Quasi::of_slot(block.slot)};
    thread.upper = {Quasi::of_slot(block.slot) + Quasi((threads_here - 1) * thread.step)};
    if (!divides(old, span)) thread.upper.insert(thread.upper.end(), old.upper.begin(), old.upper.end());
    if (axis.fold * axis.coarsen > 1) {
      std::vector<Int> offsets;
      for (Int c = 0; c < axis.coarsen; ++c) {
        for (Int f = 0; f < axis.fold; ++f) offsets.push_back((c * threads_here * axis.fold + f) * old.step);
      }
      body = Jam(old, offsets, divides(old, span) ? std::vector<Quasi>{} : old.upper, copied_, own_)(body);
    }
    blocks.push_back(std::move(block));
    threads.push_back(std::move(thread));
    return body;
  }

  /// for (i = start; i <= upper; i += width) of a thread. Where its length is known, all threads count how often they
  /// went on, which keeps their addresses affine, and those beyond the end are masked.
  std::vector<Node> stride(const Loop& old, const Quasi& start, Int width, std::vector<Node> body) {
    Loop loop = old;
    loop.body.clear();
    const Quasi length = old.upper.front() - old.lower.front();
    if (old.upper.size() > 1 || !length.is_constant()) {
      loop.lower = {start};
      loop.step = width;
      return wrap(std::move(loop), std::move(body));
    }
    loop.slot = new_slot(kernel_, old.name);
    loop.lower = {Quasi(0)};
    loop.upper = {Quasi(length.constant < 0 ? -1 : length.constant / width)};
    loop.step = 1;
    const Quasi here = start + Quasi::of_slot(loop.slot) * width;
    body = substituted(body, {{old.slot, here}});
    if ((length.constant + old.step) % width != 0) {
      Guard inside;
      inside.any_of = {{old.upper.front() - here}};
      inside.body = std::move(body);
      body.clear();
      body.push_back({std::move(inside)});
    }
    return wrap(std::move(loop), std::move(body));
  }

  /// The loop below that the threads of a block share: thread t takes iterations t, t + threads, …
  void share_lanes(std::size_t a, std::vector<Node>& body, std::vector<Loop>& threads) {
    const GpuAxis& axis = axes_[a];
    Loop thread = new_loop(axis.loop->value + "l", axis.loop->at, GpuRole::thread, a);
    thread.lower = {Quasi(0)};
    thread.upper = {Quasi(axis.threads - 1)};
    visit_nodes(body, [&](Node& node) {
      auto* loop = std::get_if<Loop>(&node.is);
      if (loop == nullptr || loop->name != axis.loop->value) return;
      for (Quasi& q : loop->lower) q += Quasi::of_slot(thread.slot) * loop->step;
      loop->step *= axis.threads;
    });
    threads.push_back(std::move(thread));
  }

  Kernel& kernel_;
  const GpuAxes& axes_;
  const GpuMapping& mapping_;
  CopiedScalars copied_;
  std::vector<ScalarId> own_;  ///< of each iteration of the mapped loops
};

/// Why this loop cannot run along an axis of blocks; empty if it can.
std::string obstacle(const Loop& loop, const GpuAxis& axis, const std::vector<Slot>& sequential) {
  if (!loop.reads.empty()) return "its bounds are read from an array";
  if (loop.step < 1) return "it runs downwards";
  if (loop.role != GpuRole::none) return "it is mapped already";
  if (loop.lower.size() != 1) return "it starts at the largest of several values";
  if (axis.grid && axis.fold * axis.coarsen > 1) return "a loop that strides over the grid is not folded or coarsened";
  if (loop.counts_updates && axis.fold * axis.coarsen > 1) return "it counts the updates and cannot be folded";
  for (const Slot slot : sequential) {
    if (bounds_use(loop, slot)) return "its bounds depend on a loop around it that runs inside of the threads";
  }
  return "";
}

}  // namespace

std::vector<Loop*> perfect_band(Loop& nest) {
  std::vector<Loop*> band{&nest};
  while (band.back()->body.size() == 1) {
    auto* next = std::get_if<Loop>(&band.back()->body.front().is);
    if (next == nullptr) break;
    band.push_back(next);
  }
  return band;
}

void map_to_gpu(Kernel& kernel, Loop& nest, const GpuAxes& axes, const GpuMapping& mapping, Diagnostics& diagnostics) {
  const std::vector<Loop*> band = perfect_band(nest);
  std::array<std::optional<std::size_t>, 3> place;
  for (std::size_t a = 0; a < 3; ++a) {
    if (axes[a].loop == nullptr || axes[a].lanes) continue;
    const std::string name = split_loop_name(axes[a].loop->value).second;
    const auto found = std::ranges::find(band, name, [](const Loop* l) { return l->name; });
    if (found == band.end()) {
      diagnostics.add(axes[a].loop->value_at,
                      fmt::format("loop '{}' cannot be mapped to {}: the loops around it hold other statements", name,
                                  axis_names[a]));
      return;
    }
    place[a] = static_cast<std::size_t>(found - band.begin());
  }
  const auto mapped = [&](std::size_t n) { return std::ranges::find(place, std::optional(n)) != place.end(); };
  std::size_t first = 0;
  while (first < band.size() && !mapped(first)) ++first;
  std::vector<Slot> sequential;
  for (std::size_t n = first; n < band.size(); ++n) {
    if (!mapped(n)) {
      sequential.push_back(band[n]->slot);
      continue;
    }
    const auto a = static_cast<std::size_t>(std::ranges::find(place, std::optional(n)) - place.begin());
    const std::string why = obstacle(*band[n], axes[a], sequential);
    if (!why.empty()) {
      diagnostics.add(axes[a].loop->value_at,
                      fmt::format("loop '{}' cannot be mapped to {}: {}", band[n]->name, axis_names[a], why));
      return;
    }
    for (std::size_t m = first; m < band.size(); ++m) {
      if (m != n && mapped(m) && bounds_use(*band[n], band[m]->slot)) {
        diagnostics.add(
            axes[a].loop->value_at,
            fmt::format("loop '{}' cannot be mapped to {}: its bounds depend on loop '{}', and a grid is rectangular",
                        band[n]->name, axis_names[a], band[m]->name));
        return;
      }
    }
  }
  count_updates_by_statement(kernel);
  Mapper(kernel, axes, mapping).rewrite(nest, band, place);
}

}  // namespace mansard
