// Several cores, from shipped files to figures that others have measured.
#include <cmath>
#include <fstream>

#include "study/run.hpp"
#include "support/catch.hpp"

using namespace mansard;

namespace {

const std::filesystem::path root = MANSARD_SOURCE_DIR;

RunRequest request_of(const std::filesystem::path& workload, const Definitions& definitions, std::uint32_t cores,
                      const std::string& schedule) {
  RunRequest request;
  request.workload = workload;
  request.machine = root / "machines" / "cpu" / "haswell-ep-e5-2695v3-cod.yaml";
  request.definitions = definitions;
  request.cores = cores;
  request.schedule.text = schedule;
  return request;
}

Summary stencil(const std::string& n, std::uint32_t cores, const std::string& schedule = "parallel(k)") {
  RunRequest request = request_of(root / "workloads" / "jacobi-3d-7pt.yaml", {{"N", n}}, cores, schedule);
  request.cold = true;
  return run(request);
}

bool warns(const Summary& summary, const std::string& text) {
  return std::any_of(summary.warnings.begin(), summary.warnings.end(),
                     [&](const std::string& w) { return w.find(text) != std::string::npos; });
}

}  // namespace

// Stengel, Treibig, Hager, Wellein, ICS 2015 and its repository: the 7-point stencil at N = 1010 on this machine
// reached 1328 MLUP/s on 14 cores; published ECM 1415.
TEST_CASE("the 7-point stencil saturates both domains of a Haswell chip") {
  const Summary s = stencil("1010", 14);
  REQUIRE(s.run.scaling.size() == 1);
  const MulticorePoint& all = s.run.scaling.front();
  CHECK(std::abs(*all.updates_per_second / 1328e6 - 1) < 0.12);
  CHECK(all.bound_by == "DRAM");
  CHECK(*all.bytes_per_update[3] == Approx(40.4).epsilon(0.02));  // measured there at N = 1000
}

TEST_CASE("scaling: one core alone, then saturation inside a domain of seven") {
  RunRequest request = request_of(root / "workloads" / "jacobi-3d-7pt.yaml", {{"N", "160"}}, 8, "parallel(k)");
  request.scaling = request.cold = true;
  const Summary s = run(request);
  REQUIRE(s.run.scaling.size() == 8);
  const auto speed = [&](std::size_t n) { return *s.run.scaling[n - 1].updates_per_second; };
  CHECK(speed(2) > 1.5 * speed(1));
  CHECK(speed(7) < 1.1 * speed(5));
  CHECK(speed(8) > 1.1 * speed(7));
  CHECK(s.run.cores == 8);
}

TEST_CASE("several cores of the naive twin and without fast-forward: the same counts") {
  RunRequest request = request_of(root / "workloads" / "jacobi-3d-7pt.yaml", {{"N", "40"}}, 3, "parallel(j, chunk: 2)");
  const Summary fast = run(request);
  request.naive = true;
  const Summary naive = run(request);
  request.naive = request.warp = false;
  const Summary plain = run(request);
  for (std::size_t b = 0; b < 4; ++b) {
    CHECK(fast.total.levels[b].flow == naive.total.levels[b].flow);
    CHECK(plain.total.levels[b].flow == naive.total.levels[b].flow);
  }
}

TEST_CASE("false sharing: neighbouring sums of two cores share a line; padded they do not") {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "mansard_false_sharing.c";
  std::ofstream(file) << "double s[n][w]; double a[n][N];\n"
                         "for (int c = 0; c < n; ++c) for (int i = 0; i < N; ++i) s[c][0] += a[c][i];\n";
  const auto sums = [&](const std::string& width) {
    RunRequest request = request_of(file, {{"n", "2"}, {"N", "1000"}, {"w", width}}, 2, "parallel(c)");
    request.registers = false;  // the sums are in memory
    return run(request);
  };
  const Summary neighbours = sums("1");
  REQUIRE(neighbours.run.sharing.size() == 1);
  CHECK(neighbours.run.sharing.front().name == "s");
  CHECK(neighbours.run.sharing.front().count.false_sharing > 1900);  // nearly each of 2 · 1000 stores
  CHECK(neighbours.run.sharing.front().count.true_sharing == 0);
  CHECK(warns(neighbours, "false sharing: cores store to lines of 's'"));
  const Summary padded = sums("8");
  CHECK(padded.run.sharing.empty());
  CHECK_FALSE(warns(padded, "sharing"));
  std::filesystem::remove(file);
}

TEST_CASE("what --cores cannot do is refused with what would help") {
  const auto refusal = [](std::uint32_t cores, const std::string& schedule) -> std::string {
    try {
      run(request_of(root / "workloads" / "jacobi-3d-7pt.yaml", {{"N", "20"}}, cores, schedule));
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  CHECK(refusal(29, "parallel(k)").find("2 sockets of 14 cores") != std::string::npos);
  CHECK(refusal(2, "").find("--schedule 'parallel(k)'") != std::string::npos);
  CHECK(refusal(2, "parallel(k, chunk: 0)") != "");
  CHECK(refusal(2, "parallel(k, chunks: 4)").find("parallel(k, chunk: 4)") != std::string::npos);
}
