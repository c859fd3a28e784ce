#include "study/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "stream/lower.hpp"
#include "study/attribution.hpp"
#include "study/explain_gpu.hpp"
#include "study/reuse.hpp"
#include "units/print.hpp"

namespace mansard {
namespace {

Counters total(const Simulation& simulation) {
  Counters sum = simulation.nests.front().counters;
  for (std::size_t n = 1; n < simulation.nests.size(); ++n) sum += simulation.nests[n].counters;
  return sum;
}

/// The cache with all its lines in one set.
Geometry fully_associative(Geometry geometry, std::size_t cache) {
  LevelGeometry& level = geometry.levels[cache];
  level.ways = static_cast<std::uint32_t>(level.sets * level.ways);
  level.sets = 1;
  return geometry;
}

/// Flops over bytes of the innermost body that does most of both, with every access of the text counted.
std::optional<double> naive_intensity(const Kernel& kernel) {
  LowerOptions options;
  options.registers = false;
  const Program program = lower(kernel, options);
  double flops = 0;
  double bytes = 0;
  for (const Nest& nest : program.nests) {
    visit_bodies(nest.nodes, [&](const Body& body) {
      if (!body.work.innermost) return;
      flops += body.work.flops.flops();
      for (const StreamRef& ref : body.refs) bytes += ref.bytes;
    });
  }
  if (bytes <= 0) return std::nullopt;
  return flops / bytes;
}

/// Arrays that are read through an index from a table.
std::set<std::uint16_t> gathered(const Program& program) {
  std::set<std::uint16_t> arrays;
  std::set<Slot> read;
  for (const Nest& nest : program.nests) {
    visit_bodies(nest.nodes, [&](const Body& body) {
      for (const StreamDefine& d : body.defines) read.insert(d.slot);
      for (const StreamRef& ref : body.refs) {
        if (std::ranges::any_of(read, [&](Slot s) { return ref.address.uses(s); })) arrays.insert(ref.array);
      }
    });
  }
  return arrays;
}

class Explainer {
 public:
  Explainer(const Prepared& prepared, Budget& budget)
      : prepared_(prepared), budget_(budget), gathered_(gathered(prepared.program)) {}

  void layers() {
    const std::vector<LoopReuse> loops =
        loop_reuse(prepared_.kernel, prepared_.program, prepared_.machine.caches.front().line);
    for (const LoopReuse& r : loops) {
      if (r.inner.empty()) continue;
      std::string fits;
      std::string fails;
      for (const CacheLevel& cache : prepared_.machine.caches) {
        const auto size = static_cast<double>(cache.size);
        if (r.bytes <= size) {
          fits += (fits.empty() ? "" : ", ") + cache.name;
        } else {
          const auto tile = static_cast<std::uint64_t>(static_cast<double>(r.inner_trips) * size / r.bytes);
          fails += fmt::format("{}{} ({}", fails.empty() ? "" : ", ", cache.name, print_size(cache.size));
          fails += tile > 0 ? fmt::format("; it would hold with {} in tiles of at most {})", r.inner, tile) : ")";
        }
      }
      budget_.layers.push_back(
          fmt::format("{}: one iteration of {} touches {}: what the next one uses again stays in {}{}", r.nest, r.loop,
                      print_size(static_cast<std::uint64_t>(r.bytes)), fits.empty() ? "no cache" : fits,
                      fails.empty() ? "" : ", but not in " + fails));
    }
  }

  void causes() {
    for (std::size_t b = 0; b < budget_.boundaries.size(); ++b) boundary(budget_.boundaries[b]);
    std::ranges::sort(found_, std::greater<>{});
    for (auto& [bytes, text] : found_) budget_.causes.push_back(std::move(text));
    compulsory(budget_.boundaries.back());
  }

 private:
  /// What memory has to move in any case.
  void compulsory(const BudgetBoundary& memory) {
    std::uint64_t all = 0;
    const BudgetItem* most = nullptr;
    for (const BudgetItem& i : memory.items) {
      all += i.flow.total();
      if (most == nullptr || i.compulsory > most->compulsory) most = &i;
    }
    if (all == 0) return;
    std::uint64_t needed = 0;
    for (const BudgetItem& i : memory.items) needed += i.compulsory;
    const auto percent = [all](std::uint64_t bytes) {
      return 100 * static_cast<double>(bytes) / static_cast<double>(all);
    };
    budget_.causes.push_back(
        fmt::format("{}: {:.0f} % of the bytes are lines fetched once, as they must be, most of them "
                    "of '{}' ({:.0f} %)",
                    memory.name, percent(needed), most->array, percent(most->compulsory)));
  }

  void boundary(const BudgetBoundary& boundary) {
    double all = 0;
    for (const BudgetItem& i : boundary.items) all += static_cast<double>(i.flow.total());
    const auto add = [&](double bytes, const std::string& text) {
      constexpr double worth_saying = 0.03;
      if (all <= 0 || bytes < worth_saying * all) return;
      found_.emplace_back(bytes,
                          fmt::format("{}: {:.0f} % of the bytes are {}", boundary.name, 100 * bytes / all, text));
    };
    for (std::size_t a = 0; a < boundary.items.size(); ++a) {
      const BudgetItem& i = boundary.items[a];
      const bool gather = gathered_.contains(static_cast<std::uint16_t>(a));
      add(static_cast<double>(i.conflict),
          fmt::format(
              "conflicts of '{0}' in {1}: lines of it fall into too few of the sets{2}; pad({0}: {3}) spreads them",
              i.array, boundary.level, stride_note(a), line_elements(a)));
      add(static_cast<double>(i.capacity) + std::min(0.0, static_cast<double>(i.conflict)),
          gather ? fmt::format("lines of '{}' that are fetched again: it is read through an index, and what is used "
                               "again is not in {} any more; an order of the indices with more locality would help",
                               i.array, boundary.level)
                 : fmt::format("lines of '{}' that are fetched again, since {} is too small for what is touched in "
                               "between (see layers); tile the loops inside",
                               i.array, boundary.level));
      add(static_cast<double>(i.flow.write_allocate),
          fmt::format(
              "write-allocate of '{0}': lines that are written whole are fetched first; nontemporal({0}) avoids it "
              "if it is not read again soon",
              i.array));
    }
  }

  std::string stride_note(std::size_t array) const {
    const Array& a = prepared_.kernel.arrays[array];
    if (a.extents.size() < 2) return "";
    const Int row = strides(a)[a.extents.size() - 2] * static_cast<Int>(bytes_of(a.type));
    constexpr Int page_like = 512;
    return row % page_like == 0 ? fmt::format(" (its rows are {} B apart)", row) : "";
  }
  std::uint64_t line_elements(std::size_t array) const {
    const Array& a = prepared_.kernel.arrays[array];
    return std::max<std::uint64_t>(1, prepared_.machine.caches.front().line / bytes_of(a.type));
  }

  const Prepared& prepared_;
  Budget& budget_;
  std::set<std::uint16_t> gathered_;
  std::vector<std::pair<double, std::string>> found_;
};

}  // namespace

Budget explain(const RunRequest& request) {
  Machine machine = machine_of(request);
  if (machine.gpu) return explain_gpu(request, machine);
  const Prepared prepared = prepare(request, std::move(machine));
  const Geometry geometry = geometry_of(prepared.machine);
  const Simulation real = simulate(request, prepared, geometry);
  Budget budget;
  budget.summary = summarize(request, prepared, real);
  const Counters counters = total(real);
  const std::vector<CacheLevel>& caches = prepared.machine.caches;
  for (std::size_t c = 0; c < caches.size(); ++c) {
    const Counters associative = total(simulate(request, prepared, fully_associative(geometry, c)));
    BudgetBoundary boundary;
    boundary.level = caches[c].name;
    boundary.name = boundary.level + "-" + (c + 1 < caches.size() ? caches[c + 1].name : prepared.machine.memory.name);
    for (std::size_t a = 0; a < prepared.program.regions.size(); ++a) {
      const Region& region = prepared.program.regions[a];
      if (region.bytes == 0) continue;
      boundary.items.push_back(
          budget_item(region.name, counters.flows[c + 1][a], associative.flows[c + 1][a], region.bytes));
    }
    budget.boundaries.push_back(std::move(boundary));
  }
  if (const auto references = fills_by_reference(prepared.kernel, prepared.program, geometry, request.cold)) {
    budget.references.emplace();
    for (const ReferenceFills& r : *references) budget.references->push_back({r.nest, r.name, r.kind, r.bytes});
  }
  budget.naive_intensity = naive_intensity(prepared.kernel);
  Explainer explainer(prepared, budget);
  explainer.layers();
  explainer.causes();
  return budget;
}

}  // namespace mansard
