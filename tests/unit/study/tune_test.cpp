// The search for schedules: what it finds against everything that there is, and that the clock has no say in it.
#include "study/tune.hpp"

#include <set>

#include "schedule/permutable.hpp"
#include "study/run.hpp"
#include "support/catch.hpp"
#include "support/elements.hpp"
#include "support/kernel.hpp"

using namespace mansard;

namespace {

RunRequest full_size(const std::string& workload, const std::string& n) {
  const std::filesystem::path root = MANSARD_SOURCE_DIR;
  RunRequest request;
  request.workload = root / "workloads" / (workload + ".yaml");
  request.machine = root / "machines" / "cpu" / "haswell-ep-e5-2695v3-cod.yaml";
  request.definitions = {{"N", n}};
  request.band = BandRuns::never;
  return request;
}

/// Small caches, so that a small problem has to be tiled.
RunRequest request_of(const std::string& workload, const std::string& n) {
  RunRequest request = full_size(workload, n);
  for (const auto& [path, size] : {std::pair{"L1", "4 KiB"}, {"L2", "16 KiB"}, {"L3", "80 KiB"}})
    request.overrides.push_back(parse_override(std::string("caches.") + path + ".size=" + size));
  return request;
}

constexpr double never = 1e300;

/// Every schedule of the space, simulated; the least time.
struct Everything {
  double least = never;
  std::size_t schedules = 0;
};

/// Seconds of an update in a part of so many look-ups, from cold caches.
double seconds_of_part(RunRequest request, std::uint64_t part) {
  request.cold = true;
  request.drain = false;
  request.most_lookups = part;
  const Prepared prepared = prepare(request);
  const Summary summary = summarize(request, prepared, simulate(request, prepared, geometry_of(prepared.machine)));
  return *predicted_seconds(summary.total) / static_cast<double>(summary.total.work.updates);
}

/// With `part`, each schedule is simulated so far, and whole if it then takes at most 1.1 times as long as the best.
Everything everything(const RunRequest& request, const TuneLists& lists, std::optional<std::uint64_t> part) {
  const Prepared plain = prepare(request);
  const TuneSpace space(plain.kernel, plain.machine.core.simd, lists);
  std::set<std::string> seen;
  Everything all;
  std::vector<std::pair<double, RunRequest>> legal;
  Point point(space.axes(), 0);
  for (;;) {
    const std::string schedule = schedule_text(space.blocking(point));
    if (seen.insert(schedule).second) {
      RunRequest r = request;
      r.schedule.text = schedule;
      try {
        legal.emplace_back(part ? seconds_of_part(r, *part) : 0, r);
      } catch (const InputError&) {  // not legal
      }
    }
    std::size_t axis = 0;
    while (axis < point.size() && ++point[axis] == space.choices(axis)) point[axis++] = 0;
    if (axis == point.size()) break;
  }
  all.schedules = seen.size();
  double best = never;
  for (const auto& [seconds, r] : legal) best = std::min(best, seconds);
  for (const auto& [seconds, r] : legal) {
    if (seconds <= 1.1 * best) all.least = std::min(all.least, *predicted_seconds(run(r).total));
  }
  return all;
}

void within_3_percent_in_a_tenth(const RunRequest& request, const TuneLists& lists,
                                 std::optional<std::uint64_t> part = std::nullopt) {
  const Everything all = everything(request, lists, part);
  TuneOptions options;
  options.lists = lists;
  options.simulations = all.schedules / 10;
  const Tuning tuning = tune(request, options);
  UNSCOPED_INFO("of " << all.schedules << " schedules the best takes " << all.least << " s; found "
                      << tuning.best.front().variant.name << ", " << tuning.best.front().seconds << " s");
  CHECK(tuning.best.front().seconds <= 1.03 * all.least);
  CHECK(tuning.simulated <= all.schedules / 10);
}

}  // namespace

TEST_CASE("tune comes within 3 % of an exhaustive search in a tenth of its simulations: a stencil") {
  within_3_percent_in_a_tenth(request_of("jacobi-2d-5pt", "300"), {{0, 8, 32, 128}, {1, 4}, true, false});
}

TEST_CASE("tune comes within 3 % of an exhaustive search in a tenth of its simulations: a matrix product") {
  within_3_percent_in_a_tenth(request_of("gemm-naive", "90"), {{0, 16}, {1}, true, false});
}

// Minutes, so not among the tests that run by themselves: build/…/test_study '[full size]'.
TEST_CASE("the same for the 7-point stencil of 1000 points a side", "[.][full size]") {
  within_3_percent_in_a_tenth(full_size("jacobi-3d-7pt", "1000"), {{0, 50, 200}, {1}, false, false}, 5'000'000);
}

TEST_CASE("the same for a matrix product of 1024 rows", "[.][full size]") {
  within_3_percent_in_a_tenth(full_size("gemm-naive", "1024"), {{0, 128}, {1}, true, false}, 5'000'000);
}

TEST_CASE("tune finds the same from run to run, and more with a larger budget") {
  const RunRequest request = request_of("gemm-naive", "64");
  TuneOptions options;
  options.budget = Seconds(6);
  const Tuning once = tune(request, options);
  const Tuning again = tune(request, options);
  REQUIRE(once.best.size() == again.best.size());
  for (std::size_t n = 0; n < once.best.size(); ++n) {
    CHECK(once.best[n].variant.name == again.best[n].variant.name);
    CHECK(once.best[n].seconds == again.best[n].seconds);
  }
  CHECK(once.proposed == again.proposed);
  options.budget = Seconds(60);
  const Tuning longer = tune(request, options);
  CHECK(longer.proposed > once.proposed);
  CHECK(longer.best.front().seconds <= once.best.front().seconds);
  CHECK(longer.best.front().seconds >= *longer.floor);
}

TEST_CASE("tune simulates the program as written, whatever the budget") {
  TuneOptions options;
  options.budget = Seconds(1e-6);
  const Tuning tuning = tune(request_of("jacobi-2d-5pt", "300"), options);
  CHECK(tuning.simulated == 1);
  CHECK(tuning.best.front().variant.name == "plain");
  CHECK(tuning.out_of_budget);
}

TEST_CASE("the loops of a proposal are those of the schedule, where blocks are full") {
  const std::string code =
      "double A[32][32], B[32][32], C[32][32];"
      "for (int i = 0; i < 32; ++i) for (int j = 0; j < 32; ++j) for (int k = 0; k < 32; ++k)"
      " C[i][j] += A[i][k] * B[k][j];";
  Blocking blocking;
  blocking.tiles = {{"j", 16}, {"k", 8}};
  blocking.order = {"k", "i", "j"};
  blocking.unrolls = {{"i", 4}};
  CHECK(schedule_text(blocking) == "tile(j: 16, k: 8); order(k, i, j); unroll_jam(i: 4)");
  const auto loops = blocked(kernel_of(code), {"i", "j", "k"}, blocking);
  REQUIRE(loops);
  const Kernel scheduled = kernel_of(code, {}, "", schedule_text(blocking));
  CHECK(elements_of(lower(*loops, {})) == elements_of(lower(scheduled, {})));
}

TEST_CASE("loops are permutable if no dependence goes backwards in any of them") {
  const std::string nest = "for (int i = 1; i < 9; ++i) for (int j = 1; j < 9; ++j) ";
  CHECK(permutable(kernel_of("double a[10][10];" + nest + "a[i][j] = a[i-1][j] + a[i][j-1];"), {"i", "j"}));
  CHECK_FALSE(permutable(kernel_of("double a[10][10];" + nest + "a[i][j] = a[i-1][j+1];"), {"i", "j"}));
}
