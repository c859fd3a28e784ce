// The production hierarchy beside its naive twin on the access patterns of the mission, in accesses a second.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "cache/geometry.hpp"
#include "cache/policy.hpp"

namespace mansard {
namespace {

using Make = std::unique_ptr<Hierarchy> (*)(const Geometry&, const std::vector<Region>&);

std::unique_ptr<Hierarchy> fast(const Geometry& geometry, const std::vector<Region>& regions) {
  return make_hierarchy(geometry, regions);
}

LevelGeometry level(std::uint64_t sets, std::uint32_t ways, Role role, const char* policy) {
  LevelGeometry g;
  g.sets = sets;
  g.ways = ways;
  g.role = role;
  g.policy = find_policy(policy);
  return g;
}

// 32 KiB / 1 MiB / 32 MiB
Geometry three_levels(Role last = Role::nine, const char* policy = "lru") {
  return {64, {level(64, 8, Role::nine, policy), level(1024, 16, Role::nine, policy), level(32768, 16, last, policy)}};
}

void report(benchmark::State& state, const Hierarchy& hierarchy) {
  const auto accesses = static_cast<double>(hierarchy.counters().requests());
  state.counters["accesses/s"] = benchmark::Counter(accesses, benchmark::Counter::kIsRate);
  state.counters["look-ups/access"] = static_cast<double>(hierarchy.lookups()) / accesses;
}

// b = the seven points of a, n^3 with halo
void stencil(benchmark::State& state, Make make, const Geometry& geometry) {
  const Int n = state.range(0), row = 8 * n, plane = row * n, b = plane * n + 5440;
  std::vector<StreamRef> refs(7, {{}, 0, 8, Kind::load});
  refs.push_back({{}, 1, 8, Kind::store});
  const std::vector<Int> offset{-plane, -row, -8, 0, 8, row, plane, b}, stride(8, 8);
  const auto hierarchy = make(geometry, {{"a", 0, 1}, {"b", static_cast<std::uint64_t>(b), 1}});
  for (auto _ : state) {
    for (Int k = 1; k < n - 1; ++k) {
      for (Int j = 1; j < n - 1; ++j) {
        std::vector<Int> base = offset;
        for (Int& address : base) address += k * plane + j * row + 8;
        hierarchy->consume(Run{refs, base, stride, static_cast<std::uint64_t>(n - 2)});
      }
    }
  }
  report(state, *hierarchy);
}

// C[i][j] += A[i][k] * B[k][j] with the loops i, k, j, in blocks of 48 that stay in the first levels
void gemm(benchmark::State& state, Make make, const Geometry& geometry) {
  const Int n = state.range(0), row = 8 * n, matrix = row * n, block = 48;
  const std::vector<StreamRef> refs{{{}, 2, 8, Kind::load}, {{}, 0, 8, Kind::load}, {{}, 0, 8, Kind::store}};
  const std::vector<Int> stride{8, 8, 8};
  const auto hierarchy = make(
      geometry,
      {{"C", 0, 1}, {"A", static_cast<std::uint64_t>(matrix), 1}, {"B", static_cast<std::uint64_t>(2 * matrix), 1}});
  for (auto _ : state) {
    for (Int jb = 0; jb < n; jb += block) {
      for (Int kb = 0; kb < n; kb += block) {
        for (Int i = 0; i < n; ++i) {
          for (Int k = kb; k < kb + block; ++k) {
            const Int c = i * row + 8 * jb;
            const std::vector<Int> base{2 * matrix + k * row + 8 * jb, c, c};
            hierarchy->consume(Run{refs, base, stride, static_cast<std::uint64_t>(block)});
          }
        }
      }
    }
  }
  report(state, *hierarchy);
}

// y = A x with random columns: val, col and x are loaded, y is stored once a row of 16
void gather(benchmark::State& state, Make make, const Geometry& geometry) {
  const auto rows = static_cast<std::uint64_t>(state.range(0));
  const std::uint64_t col = rows * 16 * 8, x = col + rows * 16 * 4, y = x + rows * 8;
  const auto hierarchy = make(geometry, {{"val", 0, 1}, {"col", col, 1}, {"x", x, 1}, {"y", y, 1}});
  std::vector<Element> elements;
  for (auto _ : state) {
    std::uint64_t random = 1;
    for (std::uint64_t r = 0; r < rows; ++r) {
      for (std::uint64_t p = 16 * r; p < 16 * r + 16; ++p) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        elements.push_back({col + 4 * p, 1, 4, Kind::load});
        elements.push_back({8 * p, 0, 8, Kind::load});
        elements.push_back({x + (random >> 33) % rows * 8, 2, 8, Kind::load});
      }
      elements.push_back({y + 8 * r, 3, 8, Kind::store});
      if (elements.size() > 4000 || r + 1 == rows) {
        hierarchy->consume(std::span<const Element>(elements));
        elements.clear();
      }
    }
  }
  report(state, *hierarchy);
}

/// Single accesses, as of a trace: made before the clock runs, handed over in batches.
void play(benchmark::State& state, Make make, const Geometry& geometry, const std::vector<Element>& elements) {
  const std::vector<Region> regions{{"a", 0, 1}, {"b", Int{1} << 31, 1}};
  constexpr std::size_t batch = 4096;
  std::unique_ptr<Hierarchy> hierarchy = make(geometry, regions);
  for (auto _ : state) {
    for (std::size_t from = 0; from < elements.size(); from += batch) {
      hierarchy->consume(std::span(elements).subspan(from, std::min(batch, elements.size() - from)));
    }
  }
  report(state, *hierarchy);
  state.counters["accesses"] = static_cast<double>(elements.size());
  state.counters["memory lines"] = static_cast<double>(hierarchy->counters().boundary(3).total() / geometry.line);
}

// The accesses of stencil() over `planes` planes of n^2, one by one
void din_stencil(benchmark::State& state, Make make, const Geometry& geometry) {
  const Int n = state.range(0), planes = 24, row = 8 * n, plane = row * n, b = Int{1} << 31;
  std::vector<Element> elements;
  for (Int k = 1; k < planes; ++k) {
    for (Int at = k * plane + row + 8; at < (k + 1) * plane - row - 8; at += 8) {
      for (const Int offset : {-plane, -row, Int{-8}, Int{0}, Int{8}, row, plane}) {
        elements.push_back({static_cast<std::uint64_t>(at + offset), 0, 8, Kind::load});
      }
      elements.push_back({static_cast<std::uint64_t>(b + at), 1, 8, Kind::store});
    }
  }
  play(state, make, geometry, elements);
}

// Loads and, every fourth, a store of elements anywhere in `range` MiB
void din_random(benchmark::State& state, Make make, const Geometry& geometry) {
  const auto elements_in_range = static_cast<std::uint64_t>(state.range(0)) << 17U;
  std::vector<Element> elements;
  std::uint64_t random = 1;
  for (int n = 0; n < 10'000'000; ++n) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    elements.push_back({(random >> 33U) % elements_in_range * 8, 0, 8, n % 4 == 3 ? Kind::store : Kind::load});
  }
  play(state, make, geometry, elements);
}

#define MANSARD_BENCH(kernel, ...)                                                        \
  BENCHMARK_CAPTURE(kernel, fast, fast, three_levels())->Arg(__VA_ARGS__)->Iterations(1); \
  BENCHMARK_CAPTURE(kernel, naive, make_naive, three_levels())->Arg(__VA_ARGS__)->Iterations(1)

MANSARD_BENCH(stencil, 256);
MANSARD_BENCH(gemm, 384);
MANSARD_BENCH(gather, 300'000);
MANSARD_BENCH(din_stencil, 256);
MANSARD_BENCH(din_random, 256);
BENCHMARK_CAPTURE(stencil, victim, fast, three_levels(Role::victim))->Arg(256)->Iterations(1);
BENCHMARK_CAPTURE(stencil, inclusive, fast, three_levels(Role::inclusive))->Arg(256)->Iterations(1);
BENCHMARK_CAPTURE(stencil, fifo, fast, three_levels(Role::nine, "fifo"))->Arg(256)->Iterations(1);

}  // namespace
}  // namespace mansard
