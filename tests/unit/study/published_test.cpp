// The whole line, from shipped files to figures that others have measured or published.
#include <cmath>

#include "study/run.hpp"
#include "support/catch.hpp"

using namespace mansard;

namespace {

const std::filesystem::path root = MANSARD_SOURCE_DIR;

Summary run_on(const std::string& workload, const std::string& machine, const Definitions& definitions,
               const std::string& schedule = "", bool cold = false) {
  RunRequest request;
  request.workload = root / "workloads" / (workload + ".yaml");
  request.machine = root / "machines" / "cpu" / (machine + ".yaml");
  request.definitions = definitions;
  if (!schedule.empty()) request.schedule.text = schedule;
  request.cold = cold;
  return run(request);
}

/// Bytes per update at boundary b (0: REG-L1).
double bytes(const Summary& summary, std::size_t b) { return *summary.total.levels[b].bytes_per_update; }

void within(double value, double expected, double tolerance) {
  INFO(value << " against " << expected);
  CHECK(std::abs(value - expected) <= tolerance * expected);
}

const std::string didactic = "example-2tflops-200gbs";
const std::string haswell = "haswell-ep-e5-2695v3-cod";
const std::string skylake = "skylake-sp-6148-snc";
const std::string sandy = "sandybridge-ep-e5-2680";

}  // namespace

TEST_CASE("ideal traffic at memory, streams: exact to 0.1 %") {
  const Definitions n{{"N", "8000000"}};
  within(bytes(run_on("daxpy", didactic, n), 3), 24, 0.001);
  within(bytes(run_on("dot", didactic, n), 3), 16, 0.001);
  within(bytes(run_on("daxpy-twice", didactic, n), 3), 24, 0.001);
  within(bytes(run_on("daxpy-fused", didactic, n), 3), 40, 0.001);
  within(bytes(run_on("daxpy", didactic, {{"N", "16000000"}}, "type(float)"), 3), 12, 0.001);
}

TEST_CASE("ideal traffic at memory, stencil: the closed form with its halo") {
  const double n = 516;
  within(bytes(run_on("jacobi-3d-7pt", didactic, {{"N", "516"}}), 3), 24 * (1 + 3 / n), 0.001);
  // Streaming: the source with its halo of one on either side, and 8 bytes stored.
  within(bytes(run_on("jacobi-3d-7pt", didactic, {{"N", "516"}}, "nontemporal(b)"), 3), 8 * (1 + 6 / n) + 8, 0.001);
}

TEST_CASE("lattice Boltzmann: 456 and 304 bytes per update, 463.3 and 308.9 with the halo of N = 130") {
  for (const char* workload : {"lbm-d3q19-push-soa", "lbm-d3q19-pull-soa"}) {
    within(bytes(run_on(workload, didactic, {{"N", "130"}}), 3), 463.3, 0.001);
  }
  within(bytes(run_on("lbm-d3q19-aa", didactic, {{"N", "130"}}), 3), 308.9, 0.001);
}

// 200 GB/s over the bytes per update, and the 2 TFLOP/s peak where the data stay in the caches.
TEST_CASE("rooflines on the didactic machine") {
  const auto gflops = [](const Summary& s) { return s.total.roofline.performance->value / 1e9; };
  within(gflops(run_on("daxpy", didactic, {})), 16.7, 0.01);
  within(gflops(run_on("dot", didactic, {})), 25, 0.01);
  CHECK(gflops(run_on("spmv-csr", didactic, {})) <= 33);
  CHECK(gflops(run_on("spmv-csr", didactic, {})) > 28);
  within(gflops(run_on("jacobi-3d-7pt", didactic, {{"N", "516"}})), 66.7, 0.01);
  within(gflops(run_on("jacobi-3d-7pt", didactic, {{"N", "516"}}, "nontemporal(b)")), 100, 0.01);
  within(gflops(run_on("gemm-blocked", didactic, {})), 2000, 0.001);
  within(*run_on("lbm-d3q19-pull-soa", didactic, {{"N", "130"}}).total.roofline.updates_per_second / 1e6, 440, 0.03);
}

TEST_CASE("a sparse matrix moves 12 bytes per non-zero and its vectors; 8 in single precision") {
  // 27-point Laplacian: per row one row pointer, x read once, y fetched and written back.
  const Summary s = run_on("spmv-csr", didactic, {{"N", "60"}});
  const double rows = 60.0 * 60 * 60;
  const double entries = static_cast<double>(s.total.work.updates);
  within(bytes(s, 3), 12 + (4 + 8 + 16) * rows / entries, 0.01);
  within(bytes(run_on("spmv-csr", didactic, {{"N", "60"}}, "type(float)"), 3), 8 + (4 + 4 + 8) * rows / entries, 0.01);
}

TEST_CASE("streaming stores do not keep a run from being reduced") {
  RunRequest request;
  request.workload = root / "workloads" / "jacobi-3d-7pt.yaml";
  request.machine = root / "machines" / "cpu" / (didactic + ".yaml");
  request.definitions = {{"N", "66"}};
  request.schedule.text = "nontemporal(b)";
  request.warp = false;
  const Summary s = run(request);
  CHECK(s.run.lookups * 4 < s.total.accesses);
}

// Measured with likwid: INSPECT collection and the table; bytes per update both ways.
TEST_CASE("7-point and radius-2 star on Haswell, cluster on die: measured by others, within 3 %") {
  const Summary small = run_on("jacobi-3d-7pt", haswell, {{"N", "300"}});
  within(bytes(small, 1), 40.40, 0.03);
  within(bytes(small, 2), 40.08, 0.03);
  within(bytes(small, 3), 24.48, 0.03);
  const Summary large = run_on("jacobi-3d-7pt", haswell, {{"N", "1000"}});
  within(bytes(large, 1), 56.32, 0.03);
  within(bytes(large, 2), 39.68, 0.03);
  within(bytes(large, 3), 40.40, 0.03);
  const Summary star = run_on("star-3d-13pt", haswell, {{"N", "300"}});
  within(bytes(star, 1), 57.44, 0.03);
  within(bytes(star, 2), 56.72, 0.03);
  within(bytes(star, 3), 24.64, 0.03);
}

TEST_CASE("7-point on Skylake-SP with its victim L3: all lines into and out of L2, measured by others") {
  for (const auto& [n, measured] : {std::pair{"300", 64.5}, std::pair{"500", 64.2}}) {
    const Summary s = run_on("jacobi-3d-7pt", skylake, {{"N", n}});
    const double updates = static_cast<double>(s.total.work.updates);
    const Flow& l3 = s.total.levels[2].flow;
    const Flow& memory = s.total.levels[3].flow;
    within(static_cast<double>(l3.total() + memory.in()) / updates, measured, 0.03);
    if (std::string(n) == "300") {
      within(static_cast<double>(memory.in()) / updates, 16.32, 0.05);
      within(static_cast<double>(memory.out()) / updates, 8.08, 0.05);
    }
  }
}

TEST_CASE("2D-5pt on Sandy Bridge: 40 / 24 / 24 bytes, and 24 / 24 / 0 where it fits into the L3") {
  const Summary s = run_on("jacobi-2d-5pt", sandy, {{"N", "2000"}, {"M", "1000"}});
  within(bytes(s, 1), 40, 0.02);
  within(bytes(s, 2), 24, 0.02);
  within(bytes(s, 3), 24, 0.02);
  const Summary cached = run_on("jacobi-2d-5pt", sandy, {{"N", "1000"}, {"M", "50"}});
  within(bytes(cached, 1), 24, 0.02);
  within(bytes(cached, 2), 24, 0.02);
  CHECK(bytes(cached, 3) == 0);
}

// Stengel, Treibig, Hager, Wellein, ICS 2015: {6 ‖ 8 | 10 | 6 | 13} = 37 cycles with the layer condition in L2,
// {6 ‖ 8 | 6 | 6 | 13} = 33 with it in L1; daxpy {4 ‖ 4 | 6 | 6 | 13} = 29.
TEST_CASE("published ECM models on Sandy Bridge") {
  const auto check = [](const Summary& s, double ol, double nol, double l2, double l3, double mem, double total) {
    const EcmTimes& unit = s.total.ecm->unit;
    CHECK(unit.t_ol->value == Approx(ol));
    CHECK(unit.t_nol->value == Approx(nol));
    within(unit.transfers[0]->value, l2, 0.02);
    within(unit.transfers[1]->value, l3, 0.02);
    within(unit.transfers[2]->value, mem, 0.05);
    within(unit.total()->value, total, 0.02);
  };
  check(run_on("jacobi-2d-5pt", sandy, {{"N", "4000"}, {"M", "2000"}}), 6, 8, 10, 6, 13, 37);
  check(run_on("jacobi-2d-5pt", sandy, {{"N", "640"}, {"M", "12000"}}), 6, 8, 6, 6, 13, 33);
  check(run_on("daxpy", sandy, {{"N", "8000000"}}), 4, 4, 6, 6, 13, 29);
  CHECK(run_on("kahan-dot", sandy, {{"N", "4000000"}}).total.ecm->unit.total()->value == Approx(96));
}
