// gpu(x: i, y: j, z: k, block: 32x4x1): maps loops to the threads and blocks of a GPU. Every iteration of the mapped
// loops may run at any time, so none of them may carry a dependence.
#include <fmt/format.h>

#include <algorithm>

#include "schedule/affine/homes.hpp"
#include "schedule/gpu_mapping.hpp"
#include "schedule/races.hpp"
#include "schedule/step.hpp"

namespace mansard::steps {
namespace {

constexpr Int most_threads = 1024;  // of a block, on every GPU there is
constexpr Int most_copies = 256;    // of the body in one thread
constexpr Int most_blocks = Int{1} << 31U;

struct Request {
  GpuAxes axes;
  GpuMapping mapping;
};

/// "32x4" to its numbers, missing ones 1; nullopt and a mistake if one is not a count.
template <std::size_t n>
std::optional<std::array<Int, n>> counts(const Argument& argument, Int most, Diagnostics& diagnostics) {
  const auto numbers = read_counts(argument.value, 1, most, argument.value_at, diagnostics);
  if (!numbers) return std::nullopt;
  if (numbers->size() > n) {
    diagnostics.add(argument.value_at, fmt::format("at most {} numbers joined by x", n));
    return std::nullopt;
  }
  std::array<Int, n> result;
  result.fill(1);
  std::ranges::copy(*numbers, result.begin());
  return result;
}

class RequestReader {
 public:
  RequestReader(const StepCall& call, Diagnostics& diagnostics) : call_(call), diagnostics_(diagnostics) {}

  std::optional<Request> read() {
    for (const Argument& argument : call_.arguments) {
      if (!take(argument)) return std::nullopt;
    }
    GpuAxes& axes = request_.axes;
    if (lanes_ != nullptr) {
      if (axes[0].loop != nullptr) return refuse(lanes_->at, "lanes takes the place of x");
      axes[0].loop = lanes_;
      axes[0].lanes = true;
    }
    const bool any = std::ranges::any_of(axes, [](const GpuAxis& a) { return a.loop != nullptr && !a.lanes; });
    if (!any) return refuse(call_.at, "gpu needs at least one loop for its blocks, as in gpu(x: i, block: 256)");
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (axes[a].loop != nullptr && axes[b].loop != nullptr && axes[a].loop->value == axes[b].loop->value)
          return refuse(axes[a].loop->value_at, fmt::format("loop '{}' is mapped twice", axes[a].loop->value));
      }
      axes[a].threads = static_cast<std::uint32_t>(block_[a]);
      axes[a].fold = fold_[a];
      axes[a].coarsen = coarsen_[a];
      if (grid_) axes[a].grid = (*grid_)[a];
      if (axes[a].loop == nullptr && (block_[a] > 1 || fold_[a] > 1 || coarsen_[a] > 1))
        return refuse(call_.at,
                      fmt::format("no loop is mapped to {}, along which there are {} threads", "xyz"[a], block_[a]));
      request_.mapping.block[a] = axes[a].threads;
    }
    const Int threads = block_[0] * block_[1] * block_[2];
    if (threads > most_threads)
      return refuse(block_at_, fmt::format("a block of {} threads: no GPU takes more than {}", threads, most_threads));
    const Int copies = fold_[0] * fold_[1] * fold_[2] * coarsen_[0] * coarsen_[1] * coarsen_[2];
    if (copies > most_copies) return refuse(call_.at, fmt::format("more than {} updates in a thread", most_copies));
    request_.mapping.updates_per_thread = static_cast<std::uint32_t>(copies);
    request_.mapping.at = call_.at;
    return std::move(request_);
  }

 private:
  std::optional<Request> refuse(const Position& at, const std::string& what) {
    diagnostics_.add(at, what);
    return std::nullopt;
  }

  bool take(const Argument& argument) {
    const std::string& key = argument.key;
    if (std::ranges::find(seen_, key) != seen_.end()) {
      diagnostics_.add(argument.at, fmt::format("'{}' is given twice", key));
      return false;
    }
    seen_.push_back(key);
    if (key == "x" || key == "y" || key == "z") {
      request_.axes[static_cast<std::size_t>(key[0] - 'x')].loop = &argument;
      return true;
    }
    if (key == "lanes") {
      lanes_ = &argument;
      return true;
    }
    if (key == "block") {
      block_at_ = argument.value_at;
      return set(block_, counts<3>(argument, 1U << 16U, diagnostics_));
    }
    if (key == "fold") return set(fold_, counts<3>(argument, most_copies, diagnostics_));
    if (key == "coarsen") return set(coarsen_, counts<3>(argument, most_copies, diagnostics_));
    if (key == "grid") {
      grid_ = counts<3>(argument, most_blocks, diagnostics_);
      return grid_.has_value();
    }
    if (key == "order") {
      if (argument.value == "linear") return true;
      return set(request_.mapping.order, counts<2>(argument, most_blocks, diagnostics_));
    }
    if (key == "registers") {
      const auto count = read_count(argument.value, 1, 1024, argument.value_at, diagnostics_);
      if (count) request_.mapping.registers = static_cast<std::uint32_t>(*count);
      return count.has_value();
    }
    diagnostics_.add(argument.at,
                     "gpu takes x, y, z, lanes (loops), block, fold, coarsen, grid, order and registers, as in gpu(x: "
                     "i, y: j, z: k, block: 32x4x1)");
    return false;
  }

  template <class T>
  static bool set(T& to, std::optional<T> value) {
    if (value) to = *value;
    return value.has_value();
  }

  const StepCall& call_;
  Diagnostics& diagnostics_;
  Request request_;
  std::vector<std::string> seen_;
  const Argument* lanes_ = nullptr;
  std::array<Int, 3> block_{1, 1, 1}, fold_{1, 1, 1}, coarsen_{1, 1, 1};
  std::optional<std::array<Int, 3>> grid_;
  Position block_at_;
};

bool is_mapped(const std::string& name, const GpuAxes& axes) {
  return std::ranges::any_of(axes, [&](const GpuAxis& axis) {
    return axis.loop != nullptr && split_loop_name(axis.loop->value).second == name;
  });
}

/// The same loops with the mapped ones as far out as they get, running downwards: if no dependence is broken, none has
/// a distance in them, since upwards they break none either.
Branch reversed(const Branch& root, const GpuAxes& axes) {
  std::vector<Branch> chain;
  for (const Branch* at = &root;;) {
    Branch copy = *at;
    copy.children.clear();
    chain.push_back(std::move(copy));
    if (at->children.size() != 1 || at->children.front().kind != Branch::Kind::loop) {
      chain.back().children = at->children;
      break;
    }
    at = &at->children.front();
  }
  const auto mapped = [&](const Branch& loop) { return is_mapped(loop.name, axes); };
  const auto first = std::ranges::find_if(chain, mapped);
  std::vector<Branch> below = std::move(chain.back().children);
  chain.back().children.clear();
  std::stable_partition(first, chain.end(), mapped);
  const auto negate = [&](const auto& self, Branch& branch) -> void {
    if (branch.kind != Branch::Kind::loop) return;
    if (mapped(branch)) {
      for (auto& [unit, value] : branch.value) value *= -1;
    }
    for (Branch& child : branch.children) self(self, child);
  };
  for (Branch& branch : below) negate(negate, branch);
  for (std::size_t n = chain.size(); n-- > 0;) {
    negate(negate, chain[n]);
    chain[n].children = std::move(below);
    below.clear();
    below.push_back(std::move(chain[n]));
  }
  return std::move(below.front());
}

/// What keeps the iterations of the mapped loops from running at any time; nothing if they may.
std::optional<std::string> dependence(Scheduling& scheduling, std::size_t r, const GpuAxes& axes,
                                      const StepCall& call) {
  const Branch& root = scheduling.nests().roots[r];
  if (root.kind != Branch::Kind::loop) return std::nullopt;  // see may_share
  const std::vector<Branch> any_order{reversed(root, axes)};
  if (auto broken = scheduling.dependences().broken_by(any_order, call.at)) return broken;
  return torn_scalar(scheduling.kernel(), scheduling.nests(), any_order, call.at);
}

void apply(Scheduling& scheduling, const StepCall& call) {
  Diagnostics& diagnostics = scheduling.diagnostics;
  const auto request = RequestReader(call, diagnostics).read();
  if (!request) return;
  const GpuAxis* named = nullptr;
  for (const GpuAxis& axis : request->axes) {
    if (axis.loop != nullptr && !axis.lanes) named = &axis;
  }
  const std::vector<std::size_t> roots = scheduling.roots_with(named->loop->value, named->loop->value_at, true);
  std::vector<std::string> forced;
  for (const std::size_t r : roots) {
    const auto broken = dependence(scheduling, r, request->axes, call);
    if (broken && !scheduling.forced()) {
      diagnostics.add(
          call.at,
          fmt::format("the threads of a GPU run in no particular order, which would change the result: {}", *broken));
      return;
    }
    const bool opaque = scheduling.nests().roots[r].kind != Branch::Kind::loop;
    for (const GpuAxis& axis : request->axes) {
      if (opaque && axis.loop != nullptr && !may_share(scheduling, r, axis.loop->value, call)) return;
    }
    if (broken) forced.push_back(fmt::format("{} was forced although it changes the result: {}", call.text, *broken));
  }
  if (roots.empty()) return;
  Kernel& kernel = scheduling.with_loops();
  kernel.warnings.insert(kernel.warnings.end(), forced.begin(), forced.end());
  for (const GpuAxis& axis : request->axes) {
    if (axis.loop != nullptr && find_loops(kernel, axis.loop->value, axis.loop->value_at, diagnostics).empty()) return;
  }
  for (const std::size_t r : roots) {
    auto* nest = std::get_if<Loop>(&kernel.nests[r].is);
    if (nest == nullptr) {
      diagnostics.add(call.at, "a nest under a condition cannot be mapped");
      return;
    }
    map_to_gpu(kernel, *nest, request->axes, request->mapping, diagnostics);
  }
}

}  // namespace

extern const ScheduleStep gpu;
const ScheduleStep gpu{"gpu", "gpu(x: i, y: j, z: k, block: 32x4x1)", "maps loops to the threads and blocks of a GPU",
                       apply};

}  // namespace mansard::steps
