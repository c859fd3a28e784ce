// Warps, the census of a grid and sectored caches against plain definitions: threads one by one, all blocks, lists.
#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <bit>
#include <list>
#include <set>

#include "cache/gpu/gpu_hierarchy.hpp"
#include "cache/gpu/naive_gpu.hpp"
#include "property/holds.hpp"
#include "property/rapidcheck_draw.hpp"
#include "stream/gpu/requests.hpp"
#include "support/catch.hpp"
#include "support/kernel.hpp"
#include "units/mix.hpp"

using namespace mansard;
using namespace mansard::property;

namespace {

struct Case {
  std::string code, data, schedule;
};

std::string random_block(RapidcheckDraw& draw, bool plane) {
  const int x = draw.one_of({1, 2, 3, 8, 16, 32, 33, 64});
  return plane ? fmt::format("{}x{}", x, draw.one_of({1, 2, 3, 4, 8})) : std::to_string(x);
}

/// "fold: 2, coarsen: 3, grid: 4": how several iterations come to a thread.
std::string random_sharing(RapidcheckDraw& draw, bool plane) {
  const int most = plane ? 2 : 1;
  if (draw.chance(30)) return fmt::format(", grid: {}", draw.any(1, 5));
  std::string text;
  if (draw.chance(30)) text += fmt::format(", fold: {}x{}", draw.any(1, 3), draw.any(1, most));
  if (draw.chance(30)) text += fmt::format(", coarsen: {}x{}", draw.any(1, 3), draw.any(1, most));
  return text;
}

Case random_case(RapidcheckDraw& draw) {
  const int n = draw.any(1, 70);
  const int m = draw.any(1, 9);
  const std::string type = draw.one_of<const char*>({"double", "float", "short"});
  Case c;
  switch (draw.any(0, 3)) {
    case 0:  // a stencil with any alignment
      c.code = fmt::format(
          "{0} a[{2}][{1}], b[{2}][{1}]; for (int j = 0; j < {3}; ++j) for (int i = 1; i < {4}; ++i) "
          "b[j][i] = a[j][i-1] + a[j+1][i+{5}] + a[j][i];",
          type, n + 7, m + 2, m, n + 1, draw.any(0, 5));
      break;
    case 1:  // an inner loop that all threads run alike
      c.code = fmt::format(
          "{0} a[{1}][{2}], x[{2}], y[{1}][{3}]; for (int j = 0; j < {1}; ++j) for (int i = 0; i < {3}; ++i) "
          "for (int k = 0; k < {2}; ++k) y[j][i] += a[j][k] * x[k];",
          type, m, draw.any(1, 6), n);
      break;
    case 2:  // modulo and strides
      c.code = fmt::format(
          "{0} a[{1}], b[{2}][{3}]; for (int j = 0; j < {2}; ++j) for (int i = 0; i < {3}; ++i) "
          "b[j][i] = a[(i + {4} * j) % {1}];",
          type, draw.any(1, 40), m, n, draw.any(0, 9));
      break;
    default: {  // an inner loop that differs between threads, and a gather
      std::string rows = "0";
      int total = 0;
      for (int r = 0; r < n; ++r) rows += fmt::format(", {}", total += draw.any(r == 0 ? 1 : 0, 4));
      std::string columns = "0";
      for (int p = 0; p < total; ++p) columns += fmt::format(", {}", draw.any(0, 20));
      c.code = fmt::format(
          "{0} v[{2}], x[21], y[{1}]; int col[{2}], row[{3}]; for (int i = 0; i < {1}; ++i) "
          "for (int p = row[i]; p < row[i+1]; ++p) y[i] += v[p] * x[col[p]];",
          type, n, total + 1, n + 1);
      c.data = fmt::format("row: {{values: [{}]}}\ncol: {{values: [{}]}}", rows, columns);
      c.schedule = fmt::format("gpu(x: i, block: {}{})", random_block(draw, false), draw.chance(50) ? ", grid: 2" : "");
      return c;
    }
  }
  const bool plane = draw.chance(70);
  c.schedule = fmt::format("gpu(x: i, {}block: {}{})", plane ? "y: j, " : "", random_block(draw, plane),
                           random_sharing(draw, plane));
  return c;
}

using Sectors = std::set<std::uint64_t>;  // numbers of sectors

struct Instruction {
  std::uint16_t array;
  Kind kind;
  std::uint32_t lanes;
  Sectors sectors;
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

constexpr std::uint32_t sector = 32;

std::vector<Instruction> by_warp(WarpCode& code, std::uint32_t index, const std::vector<Int>& environment,
                                 const LanePath& path) {
  Requests requests(code.program());
  WarpWork work{requests.warps, requests.lanes};
  Warp warp(code, work);
  warp.start(index, environment);
  std::vector<Instruction> all;
  for (WarpAccess a; warp.next(a);) {
    Instruction one{a.ref->array, a.ref->kind, a.what->lanes, {}};
    for (const TouchedLine& line : a.what->lines) {
      for (std::uint32_t s = 0; s < path.line / sector; ++s) {
        if ((line.sectors >> s & 1U) != 0)
          one.sectors.insert(static_cast<std::uint64_t>(a.line + line.line) * (path.line / sector) + s);
      }
    }
    all.push_back(std::move(one));
  }
  return all;
}

/// The accesses of one thread, by the walker of CPUs.
std::vector<Element> by_thread(const Program& program, const Launch& launch, const std::vector<Int>& environment) {
  std::vector<Element> all;
  Walker walker(program);
  walker.set_environment(environment);
  const Sink sink = [&](const Batch& batch) { visit_elements(batch, [&](const Element& e) { all.push_back(e); }); };
  walker.begin(sink);
  walker.walk(launch.thread);
  return all;
}

/// Sets the slots of a thread; false if it has nothing to do.
bool place(const Launch& launch, std::uint32_t t, std::vector<Int>& environment) {
  const auto& block = launch.mapping->block;
  const std::array<std::uint32_t, 3> at{t % block[0], t / block[0] % block[1], t / (block[0] * block[1])};
  for (std::size_t a = 3; a-- > 0;) {
    const StreamLoop* loop = launch.threads[a];
    if (loop == nullptr) continue;
    const Trips trips = trips_of(*loop, environment);
    if (at[a] >= trips.count) return false;
    environment[loop->slot] = trips.first + static_cast<Int>(at[a]) * loop->step;
  }
  return true;
}

template <class Visit>
void each_block(const Launch& launch, const Grid& grid, std::vector<Int>& environment, const Visit& visit) {
  for (std::uint64_t n = 0; n < grid.blocks(); ++n) {
    const auto at = block_at(grid, launch.mapping->order, n);
    place_block(launch, grid, at, environment);
    visit(at);
  }
}

}  // namespace

TEST_CASE("warps ask for what their threads ask for") {
  CHECK(holds(
      "a warp's instructions are its threads' accesses, coalesced",
      [] {
        RapidcheckDraw draw;
        const Case c = random_case(draw);
        RC_LOG() << c.code << '\n' << c.data << '\n' << c.schedule << '\n';
        const Program program = lower(kernel_of(c.code, {}, c.data, c.schedule), {});
        const auto launch = launch_of(program, 0);
        RC_ASSERT(launch.has_value());
        const std::uint32_t width = draw.one_of({32U, 64U});
        LanePath path;
        path.line = draw.one_of({32U, 64U, 128U});
        WarpCode code(program, *launch, width, path);
        std::vector<Int> environment(program.slots);
        const Grid grid = grid_of(*launch, environment);
        std::uint64_t accesses_by_warps = 0;
        std::uint64_t accesses_by_threads = 0;
        each_block(*launch, grid, environment, [&](const auto&) {
          for (std::uint32_t w = 0; w < code.warps_per_block(); ++w) {
            const std::vector<Instruction> warp = by_warp(code, w, environment, path);
            std::vector<std::vector<Element>> threads;
            for (std::uint32_t t = w * width; t < std::min((w + 1) * width, launch->threads_per_block()); ++t) {
              std::vector<Int> of_thread = environment;
              if (place(*launch, t, of_thread)) threads.push_back(by_thread(program, *launch, of_thread));
            }
            for (const auto& thread : threads) accesses_by_threads += thread.size();
            for (const Instruction& i : warp) accesses_by_warps += i.lanes;
            const bool alike =
                std::ranges::all_of(threads, [&](const auto& t) { return t.size() == threads.front().size(); });
            if (threads.empty() || !alike) continue;
            // Threads that do the same number of accesses may still differ in which: then instructions are split.
            if (warp.size() != threads.front().size()) continue;
            for (std::size_t n = 0; n < warp.size(); ++n) {
              Instruction one{
                  threads.front()[n].array, threads.front()[n].kind, static_cast<std::uint32_t>(threads.size()), {}};
              for (const auto& thread : threads) {
                for (std::uint64_t b = thread[n].address; b < thread[n].address + thread[n].bytes; ++b)
                  one.sectors.insert(b / sector);
              }
              RC_ASSERT(warp[n] == one);
            }
          }
        });
        RC_ASSERT(accesses_by_warps == accesses_by_threads);
      },
      8));
}

TEST_CASE("mapped threads access what the plain nest accesses") {
  CHECK(holds(
      "every element as often",
      [] {
        RapidcheckDraw draw;
        const Case c = random_case(draw);
        RC_LOG() << c.code << '\n' << c.data << '\n' << c.schedule << '\n';
        LowerOptions options;
        options.registers = false;
        const auto accesses = [&](const std::string& schedule) {
          const Program program = lower(kernel_of(c.code, {}, c.data, schedule), options);
          std::vector<std::tuple<std::uint64_t, std::uint16_t, int>> all;
          Launch whole;
          whole.thread = program.nests[0].nodes;
          for (const Element& e : by_thread(program, whole, std::vector<Int>(program.slots)))
            all.emplace_back(e.address, e.array, static_cast<int>(e.kind));
          std::ranges::sort(all);
          return all;
        };
        RC_ASSERT(accesses("") == accesses(c.schedule));
      },
      8));
}

TEST_CASE("the census counts what all blocks ask for") {
  CHECK(holds(
      "census and sum over all blocks",
      [] {
        RapidcheckDraw draw;
        const Case c = random_case(draw);
        RC_LOG() << c.code << '\n' << c.data << '\n' << c.schedule << '\n';
        const Program program = lower(kernel_of(c.code, {}, c.data, c.schedule), {});
        const auto launch = launch_of(program, 0);
        RC_ASSERT(launch.has_value());
        WarpCode code(program, *launch, 32, {});
        std::vector<Int> environment(program.slots);
        const Grid grid = grid_of(*launch, environment);
        const auto counted = census(code, grid, environment, sector);
        RC_TAG(std::string(counted ? "counted" : "blocks differ"));
        if (!counted) return;
        Requests all(program);
        each_block(*launch, grid, environment,
                   [&](const auto& at) { all += requests_of_block(code, grid, environment, at); });
        for (std::size_t a = 0; a < all.arrays.size(); ++a) {
          RC_ASSERT(all.arrays[a].loads == counted->arrays[a].loads);
          RC_ASSERT(all.arrays[a].stores == counted->arrays[a].stores);
          RC_ASSERT(all.arrays[a].load_bytes == counted->arrays[a].load_bytes);
          RC_ASSERT(all.arrays[a].load_sectors == counted->arrays[a].load_sectors);
          RC_ASSERT(all.arrays[a].store_sectors == counted->arrays[a].store_sectors);
          RC_ASSERT(all.arrays[a].distinct_bytes == counted->arrays[a].distinct_bytes);
        }
        RC_ASSERT(all.lanes == counted->lanes);
        RC_ASSERT(all.warps == counted->warps);
      },
      8));
}

namespace {

/// A fully associative sectored cache as a list, the line used last in front.
class ListCache {
 public:
  ListCache(std::size_t lines, std::uint32_t words) : lines_(lines), words_(words) {}
  struct Line {
    std::uint64_t line;
    std::uint32_t valid = 0, dirty = 0;
    std::uint64_t written = 0;
  };
  /// The line in front; `out` gets what it pushed out.
  Line& touch(std::uint64_t line, std::vector<Line>& out) {
    auto at = std::ranges::find(order_, line, &Line::line);
    if (at == order_.end()) {
      if (order_.size() == lines_) out.push_back(order_.back()), order_.pop_back();
      order_.push_front({line});
    } else {
      order_.splice(order_.begin(), order_, at);
    }
    return order_.front();
  }
  void write(Line& l, std::uint32_t sectors, std::uint64_t words) const {
    l.dirty |= sectors;
    l.written |= words;
    for (std::uint32_t s = 0; s < 64 / words_; ++s) {
      bool whole = (sectors >> s & 1U) != 0;
      for (std::uint32_t w = s * words_; whole && w < (s + 1) * words_; ++w) whole = (l.written >> w & 1U) != 0;
      if (whole) l.valid |= 1U << s;
    }
  }

 private:
  std::size_t lines_;
  std::uint32_t words_;
  std::list<Line> order_;
};

}  // namespace

TEST_CASE("sectored caches of one set are lists") {
  CHECK(holds(
      "memory traffic of two levels, each one set",
      [] {
        RapidcheckDraw draw;
        const auto ways1 = draw.any(1U, 4U);
        const auto ways2 = draw.any(1U, 8U);
        const auto units = draw.any(1U, 3U);
        GpuGeometry geometry;
        geometry.units = units;
        geometry.fetch = draw.one_of({32U, 64U});
        geometry.levels = {{128ULL * ways1, ways1, 128, 32, units, false, 1},
                           {128ULL * ways2, ways2, 128, 32, 1, false, 1}};
        const std::vector<Region> regions{{"a", 0, 1U << 20U, false}};
        NaiveGpuHierarchy naive(geometry, regions);
        std::vector<ListCache> first(units, ListCache(ways1, 8));
        ListCache second(ways2, 8);
        std::uint64_t l2_in = 0, l2_out = 0, memory_in = 0, memory_out = 0, merged = 0;
        const auto put_out = [&](const std::vector<ListCache::Line>& lines) {
          for (const auto& l : lines) {
            memory_out += 32ULL * static_cast<unsigned>(std::popcount(l.dirty));
            merged += 32ULL * static_cast<unsigned>(std::popcount(l.dirty & ~l.valid));
          }
        };
        for (int n = draw.any(1, 60); n > 0; --n) {
          const auto unit = draw.any(0U, units - 1);
          const GpuLineAccess a{draw.any<std::uint64_t>(0, 11), draw.any(1U, 15U), 0};
          std::vector<ListCache::Line> out;
          if (draw.chance(60)) {
            naive.load(unit, 0, a);
            ListCache::Line& l1 = first[unit].touch(a.line, out);
            out.clear();  // what the L1 loses is clean
            const std::uint32_t missing = a.sectors & ~l1.valid;
            l1.valid |= a.sectors;
            if (missing == 0) continue;
            l2_in += 32ULL * static_cast<unsigned>(std::popcount(missing));
            ListCache::Line& l2 = second.touch(a.line, out);
            std::uint32_t fetched = missing & ~l2.valid;
            if (geometry.fetch == 64) {
              if ((fetched & 3U) != 0) fetched |= 3U;
              if ((fetched & 12U) != 0) fetched |= 12U;
            }
            memory_in += 32ULL * static_cast<unsigned>(std::popcount(fetched));
            l2.valid |= fetched;
          } else {
            GpuLineAccess s = a;
            for (std::uint32_t b = 0; b < 4; ++b) {  // some sectors as a whole, some in part
              if ((s.sectors >> b & 1U) != 0) s.words |= (draw.chance(50) ? 0xffULL : 0x0fULL) << (8 * b);
            }
            naive.store(unit, 0, s, false);
            l2_out += 32ULL * static_cast<unsigned>(std::popcount(s.sectors));
            second.write(second.touch(s.line, out), s.sectors, s.words);
          }
          put_out(out);
        }
        const Counters& counters = naive.counters();
        RC_ASSERT(counters.flows[1][0].demand_fills == l2_in);
        RC_ASSERT(counters.flows[1][0].write_through == l2_out);
        RC_ASSERT(counters.flows[2][0].demand_fills == memory_in);
        RC_ASSERT(counters.flows[2][0].write_back == memory_out);
        RC_ASSERT(counters.flows[2][0].write_allocate == merged);
      },
      8));
}

namespace {

/// Behind a first level of some units: up to three levels of any lines, sectors, partitions and rules.
GpuGeometry random_gpu(RapidcheckDraw& draw) {
  GpuGeometry geometry;
  geometry.units = draw.any(1U, 5U);
  geometry.fetch = draw.one_of({4U, 32U, 64U, 128U, 256U});
  std::uint32_t asked = 4;
  const int levels = draw.any(1, 4);
  for (int k = 0; k < levels; ++k) {
    GpuLevel level;
    do {
      level.line = draw.one_of({32U, 64U, 128U, 256U});
    } while (level.line < asked);
    level.sector = std::max(level.line / draw.one_of({1U, 2U, 4U, 8U}), 4U);
    level.ways = draw.one_of({1U, 2U, 3U, 8U, 9U, 16U, 24U, 64U, 65U});
    level.associative = draw.chance(20);
    level.instances = k == 0 ? geometry.units : draw.any(1U, 3U);
    level.partitions = k == 0 ? 1 : draw.any(1U, 3U);
    level.written_first = k > 0 && draw.chance(40);
    level.bytes = std::uint64_t{level.line} * level.ways * level.partitions * draw.any(1U, 5U);
    asked = level.sector;
    geometry.levels.push_back(level);
  }
  return geometry;
}

}  // namespace

TEST_CASE("hierarchies of GPUs count what their definition counts") {
  CHECK(holds(
      "all counters of two capacities, also after draining",
      [] {
        RapidcheckDraw draw;
        const GpuGeometry one = random_gpu(draw);
        GpuGeometry other = one;
        for (std::size_t k = 1; k < other.levels.size(); ++k) other.levels[k].bytes *= 2;
        const std::array geometries{one, other};
        const GpuLevel& first = one.levels[0];
        const std::vector<Region> regions{{"a", 0, 3U << 10U, false}, {"b", 3U << 10U, 1U << 20U, false}};
        GpuHierarchy fast(geometries, regions);
        std::array naive{NaiveGpuHierarchy(one, regions), NaiveGpuHierarchy(other, regions)};
        const auto equal = [&] {
          return fast.counters(0) == naive[0].counters() && fast.counters(1) == naive[1].counters() &&
                 fast.between_partitions() == naive[0].between_partitions();
        };
        const unsigned all = (2U << (first.line / first.sector - 1)) - 1;
        const auto lines = draw.any<std::uint64_t>(1, 300);
        // Requests themselves from a seed: to draw each would take longer than to play it.
        std::uint64_t state = draw.any<std::uint64_t>(0, 1'000'000);
        const auto below = [&](std::uint64_t n) { return mix(++state) % n; };
        for (int n = draw.any(1, 3000); n > 0; --n) {
          const auto unit = static_cast<std::uint32_t>(below(one.units));
          const auto array = static_cast<std::uint16_t>(below(2));
          GpuLineAccess a{below(lines), 1 + static_cast<unsigned>(below(all)), 0};
          if (below(10) < 6) {
            fast.load(unit, array, a);
            for (auto& h : naive) h.load(unit, array, a);
            continue;
          }
          if (below(10) < 8) a.words = below(10) < 5 ? ~std::uint64_t{0} : mix(state) | mix(state + 1);
          const bool streaming = below(10) == 0;
          fast.store(unit, array, a, streaming);
          for (auto& h : naive) h.store(unit, array, a, streaming);
          if (below(500) == 0) RC_ASSERT(equal());
        }
        RC_ASSERT(equal());
        fast.drain();
        for (auto& h : naive) h.drain();
        RC_ASSERT(equal());
      },
      4));
}

TEST_CASE("a sample of the sets counts what its lines would count alone") {
  CHECK(holds(
      "the first hierarchy in whole, and n times the difference in the sets sampled",
      [] {
        RapidcheckDraw draw;
        constexpr std::uint32_t n = 4;
        GpuGeometry one;
        one.units = draw.any(1U, 3U);
        for (int k = draw.any(2, 3); k > 0; --k) {
          GpuLevel level;
          level.ways = draw.any(1U, 4U);
          level.instances = one.levels.empty() ? one.units : draw.any(1U, 2U);
          level.partitions = one.levels.empty() ? 1 : draw.any(1U, 2U);
          level.written_first = draw.chance(40);
          level.bytes = std::uint64_t{level.line} * level.ways * level.partitions * n * draw.any(1U, 3U);
          one.levels.push_back(level);
        }
        GpuGeometry other = one;
        other.one_in = n;
        for (std::size_t k = 1; k < other.levels.size(); ++k) other.levels[k].bytes *= 2;
        const std::array geometries{one, other};
        const std::vector<Region> regions{{"a", 0, 1U << 20U, false}};
        GpuHierarchy fast(geometries, regions);
        NaiveGpuHierarchy whole(one, regions);
        std::array sampled{NaiveGpuHierarchy(one, regions), NaiveGpuHierarchy(other, regions)};
        std::uint64_t state = draw.any<std::uint64_t>(0, 1'000'000);
        const auto below = [&](std::uint64_t limit) { return mix(++state) % limit; };
        const auto lines = draw.any<std::uint64_t>(1, 300);
        for (int i = draw.any(1, 3000); i > 0; --i) {
          const auto unit = static_cast<std::uint32_t>(below(one.units));
          const GpuLineAccess a{below(lines), 1 + static_cast<unsigned>(below(15)), ~std::uint64_t{0}};
          const bool in_sample = mix(a.line) >> 32U < (std::uint64_t{1} << 32U) / n;
          const bool load = below(10) < 6;
          const auto to = [&](auto& h) { load ? h.load(unit, 0, a) : h.store(unit, 0, a, false); };
          to(fast);
          to(whole);
          if (in_sample) to(sampled[0]), to(sampled[1]);
        }
        for (std::size_t b = 2; b < one.levels.size() + 1; ++b) {
          const auto flow = [b](const Counters& counters) {
            const Flow& f = counters.flows[b][0];
            return std::array{static_cast<std::int64_t>(f.demand_fills), static_cast<std::int64_t>(f.write_back)};
          };
          const auto all = flow(whole.counters()), base = flow(sampled[0].counters()),
                     more = flow(sampled[1].counters());
          RC_ASSERT(flow(fast.counters(0)) == all);
          for (std::size_t i = 0; i < all.size(); ++i)
            RC_ASSERT(flow(fast.counters(1))[i] == std::max<std::int64_t>(0, all[i] + n * (more[i] - base[i])));
        }
      },
      4));
}

TEST_CASE("coalescing is remembered as it is") {
  CHECK(holds(
      "the same lines, sectors and cycles",
      [] {
        RapidcheckDraw draw;
        const LanePath path;
        CoalesceMemo memo(path);
        for (int n = draw.any(1, 40); n > 0; --n) {
          std::vector<Int> offsets;
          for (int lanes = draw.any(1, 3); lanes > 0; --lanes) offsets.push_back(draw.any(0, 3) * 100);
          const std::uint32_t bytes = draw.one_of({4U, 8U});
          const bool shared = draw.chance(50);
          const Coalesced plain = shared ? shared_access(offsets, bytes, path) : coalesce(offsets, bytes, path);
          RC_ASSERT(memo.coalesced(offsets, bytes, shared) == plain);
        }
      },
      4));
}
