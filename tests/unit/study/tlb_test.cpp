// TLB misses of shipped workloads on machines that are given some, by hand.
#include "study/run.hpp"
#include "support/catch.hpp"

using namespace mansard;

namespace {

PartSummary run_with(const std::string& tlb, const std::string& workload, const Definitions& definitions, bool naive) {
  const std::filesystem::path root = MANSARD_SOURCE_DIR;
  RunRequest request;
  request.workload = root / "workloads" / (workload + ".yaml");
  request.machine = root / "machines" / "cpu" / "example-2tflops-200gbs.yaml";
  request.definitions = definitions;
  if (!tlb.empty()) request.overrides = {parse_override("tlb=" + tlb)};
  request.cold = true;
  request.naive = naive;
  return run(request).total;
}

}  // namespace

// 2^17 doubles are 256 pages of 4 KiB. The first array starts at a page, the second one does not: 256 + 257 pages.
TEST_CASE("a stream misses once a page, whatever the TLB; stores need translations as loads do") {
  for (const bool naive : {false, true}) {
    const PartSummary copy = run_with("[{name: DTLB, entries: 64, ways: 4}, {name: STLB, entries: 1536, ways: 12}]",
                                      "copy", {{"N", "131072"}}, naive);
    REQUIRE(copy.tlb.size() == 2);
    CHECK(copy.tlb[0].name == "DTLB");
    CHECK(copy.tlb[0].misses == 513);
    CHECK(copy.tlb[0].hits == 2 * 131072 - 513);
    CHECK(copy.tlb[1].misses == 513);
    CHECK(copy.tlb[1].hits == 0);
  }
}

TEST_CASE("two MiB pages: 2 MiB of doubles touch two of them") {
  const PartSummary copy = run_with("[{name: DTLB, entries: 32, page: 2 MiB}]", "copy", {{"N", "131072"}}, false);
  CHECK(copy.tlb[0].misses == 2);  // the arrays of 1 MiB lie in the first two pages
}

TEST_CASE("a machine without TLBs says nothing about them") {
  CHECK(run_with("", "copy", {{"N", "1000"}}, false).tlb.empty());
}
