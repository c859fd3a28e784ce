// What schedules do to the traffic: published figures, closed forms, and the twin.
#include <algorithm>
#include <cmath>

#include "cache/policy.hpp"
#include "report/comparison.hpp"
#include "study/explain.hpp"
#include "study/run.hpp"
#include "study/tune.hpp"
#include "support/catch.hpp"
#include "support/kernel.hpp"

using namespace mansard;

namespace {

RunRequest request_of(const std::string& workload, const std::string& machine, const Definitions& definitions,
                      const std::string& schedule) {
  const std::filesystem::path root = MANSARD_SOURCE_DIR;
  RunRequest request;
  request.workload = root / "workloads" / (workload + ".yaml");
  request.machine = root / "machines" / "cpu" / (machine + ".yaml");
  request.definitions = definitions;
  request.schedule.text = schedule;
  return request;
}

Summary run_on(const std::string& workload, const std::string& machine, const Definitions& definitions,
               const std::string& schedule) {
  return run(request_of(workload, machine, definitions, schedule));
}

/// Bytes per update at boundary b (0: REG-L1).
double bytes(const Summary& summary, std::size_t b) { return *summary.total.levels[b].bytes_per_update; }

void within(double value, double expected, double tolerance) {
  INFO(value << " against " << expected);
  CHECK(std::abs(value - expected) <= tolerance * expected);
}

const std::string haswell = "haswell-ep-e5-2695v3-cod";

}  // namespace

TEST_CASE("7-point, N = 1000 on Haswell CoD: blocking j brings memory from 40.1 to 24.2 and 24.4 B/update") {
  const Definitions n{{"N", "1000"}};
  const Summary plain = run_on("jacobi-3d-7pt", haswell, n, "");
  const Summary by200 = run_on("jacobi-3d-7pt", haswell, n, "tile(j: 200)");
  const Summary by50 = run_on("jacobi-3d-7pt", haswell, n, "tile(j: 50)");
  within(bytes(plain, 3), 40.1, 0.001);
  within(bytes(by200, 3), 24.2, 0.003);
  within(bytes(by50, 3), 24.4, 0.003);
  within(bytes(plain, 2), 40.1, 0.001);
  within(bytes(by200, 2), 40.2, 0.002);
  within(bytes(by50, 2), 40.4, 0.001);
}

TEST_CASE("fused DAXPYs move 40 B per element, two loops 48") {
  const Definitions n{{"N", "4000000"}};
  within(2 * bytes(run_on("daxpy-twice", haswell, n, ""), 3), 48, 0.001);
  within(bytes(run_on("daxpy-twice", haswell, n, "fuse(S1, S2)"), 3), 40, 0.001);
}

TEST_CASE("one Sandy Bridge core: streaming stores save bytes, and less time or none; the report says why") {
  const auto gain = [](const std::string& workload, const std::string& n, const std::string& array) {
    const Definitions definitions{{"N", n}};
    const Summary plain = run_on(workload, "sandybridge-ep-e5-2680", definitions, "");
    const Summary streamed = run_on(workload, "sandybridge-ep-e5-2680", definitions, "nontemporal(" + array + ")");
    const auto why = [](const std::string& text) { return text.find("line fill buffers") != std::string::npos; };
    CHECK(std::ranges::none_of(plain.warnings, why));
    CHECK(std::ranges::any_of(streamed.warnings, why));
    return std::pair{bytes(plain, 3) / bytes(streamed, 3),
                     *predicted_seconds(plain.total) / *predicted_seconds(streamed.total)};
  };
  const auto copy = gain("copy", "4000000", "b");
  within(copy.first, 1.5, 0.001);  // 24 B to 16 B
  within(copy.second, 1, 0.001);   // one line fetched and one stored past the caches, instead of two fetched
  const auto triad = gain("triad", "4000000", "a");
  within(triad.first, 4.0 / 3, 0.001);
  within(triad.second, 1, 0.001);
  const auto stencil = gain("jacobi-3d-7pt", "200", "b");
  within(stencil.first, 1.5, 0.01);
  CHECK(stencil.second < 1.25);  // what the caches need not move is saved
}

TEST_CASE("time-blocked heat equation: memory falls as the number of time steps in a tile") {
  const Definitions n{{"N", "2000"}, {"T", "16"}};
  const auto memory = [&](const std::string& tile) {
    return bytes(run_on("heat-2d-time", haswell, n, "skew(j: t, i: t); tile(t: " + tile + ", j: 64, i: 256)"), 3);
  };
  const double one = bytes(run_on("heat-2d-time", haswell, n, ""), 3);
  within(one, 24, 0.005);
  CHECK(memory("4") < 1.1 * one / 3);
  CHECK(memory("8") < 1.1 * one / 6);
  CHECK(memory("16") < 1.1 * one / 12);
}

TEST_CASE("tiled matrix product on a small fully associative cache: the twin's count and the closed form") {
  // Lines of one element, 80 of them; tiles of 4 x 4. A and B are fetched once per pair of tiles that uses them,
  // N^3/T elements each; C stays while k runs, N^2 elements. Three tiles (and the next two) fit, a panel does not.
  const std::string code =
      "double A[24][24], B[24][24], C[24][24];"
      "for (int i = 0; i < 24; ++i) for (int j = 0; j < 24; ++j) for (int k = 0; k < 24; ++k) C[i][j] += A[i][k] * "
      "B[k][j];";
  LevelGeometry level;
  level.sets = 1;
  level.ways = 80;
  level.policy = find_policy("lru");
  const Geometry geometry{8, {level}};
  const auto count = [&](const std::string& schedule, bool naive) {
    SimulateOptions options;
    options.naive = naive;
    return simulate(lower(kernel_of(code, {}, "", schedule), {}), geometry, options).nests.front().counters;
  };
  for (const char* schedule : {"", "tile(i: 4, j: 4, k: 4)", "tile(k: 5, j: 7)", "tile(i: 3, k: 8); order(k, j, i)",
                               "unroll_jam(i: 4, j: 3)", "tile(j: 6, k: 6); stage(B, at: kt, into: Bp)"}) {
    CHECK(count(schedule, false) == count(schedule, true));
  }
  const Counters tiled = count("tile(i: 4, j: 4, k: 4)", false);
  constexpr std::uint64_t n = 24, t = 4, element = 8;
  CHECK(tiled.flows[1][0].in() == n * n * n / t * element);
  CHECK(tiled.flows[1][1].in() == n * n * n / t * element);
  CHECK(tiled.flows[1][2].in() == n * n * element);
  CHECK(tiled.flows[1][2].out() == n * n * element);
}

TEST_CASE("GEMM in the manner of BLIS: bytes of every level within 5 % of the closed form, and compute bound") {
  // No table of GEMM's bytes per level is published; docs/schedules.md derives this one.
  constexpr double n = 1024, mr = 6, nr = 16, kc = 128;
  constexpr double blocks = 3;  // of mc = 480 rows: 480, 480, 64
  RunRequest request = request_of("gemm-naive", "skylake-sp-6148", {{"N", "1024"}}, "");
  request.schedule = {std::nullopt, "packed", false};
  const Summary packed = run(request);
  within(bytes(packed, 0), 8 / nr + 8 / mr + 16 / kc + 32 / n, 0.05);
  within(bytes(packed, 1), 8 / nr + 8 * blocks / n + 16 / kc + 48 / n, 0.05);
  within(bytes(packed, 2), 16 / kc + 2 * (16 + 8 + 8 * blocks) / n, 0.05);
  CHECK(packed.total.levels[3].flow.total() == 0);  // the matrices fit into the L3
  CHECK(packed.total.bound_by() == "compute");
}

TEST_CASE("explain names the sets that a power-of-two transpose falls into") {
  const Budget budget = explain(request_of("transpose", "sandybridge-ep-e5-2680", {{"N", "512"}}, ""));
  const bool named = std::any_of(budget.causes.begin(), budget.causes.end(), [](const std::string& cause) {
    return cause.find("L2-L3") == 0 && cause.find("conflicts of 'b' in L2") != std::string::npos;
  });
  CHECK(named);
  for (const BudgetBoundary& boundary : budget.boundaries) {
    for (const BudgetItem& i : boundary.items) {
      const auto fills = static_cast<std::int64_t>(i.flow.demand_fills + i.flow.write_allocate);
      CHECK(static_cast<std::int64_t>(i.compulsory + i.capacity) + i.conflict == fills);
    }
  }
}

TEST_CASE("explain tells the layer condition of the 7-point stencil") {
  // One iteration of k touches three planes of a and one of b, each of 118 * 118 doubles (the halo of a plane left
  // out).
  const Budget budget = explain(request_of("jacobi-3d-7pt", haswell, {{"N", "120"}}, ""));
  const bool said = std::any_of(budget.layers.begin(), budget.layers.end(), [](const std::string& line) {
    return line.find("one iteration of k touches 445568 B: what the next one uses again stays in L3, but not in L1") !=
           std::string::npos;
  });
  INFO(budget.layers.back());
  CHECK(said);
}

TEST_CASE("tune finds the streaming store of a stencil that fits, and is no worse than the program as written") {
  TuneOptions options;
  options.simulations = 4;
  const RunRequest request = request_of("jacobi-2d-5pt", haswell, {{"N", "1500"}}, "");
  const Tuning tuning = tune(request, options);
  REQUIRE(!tuning.best.empty());
  CHECK(tuning.best.front().variant.name.find("nontemporal(b)") != std::string::npos);
  CHECK(tuning.best.front().seconds < *predicted_seconds(run(request).total));
  CHECK(tuning.simulated <= 4);
}
