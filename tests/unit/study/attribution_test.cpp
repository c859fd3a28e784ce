// Bytes by reference: they add up to those of the arrays, and the reference that leads fetches.
#include "study/attribution.hpp"

#include <map>

#include "study/explain.hpp"
#include "support/catch.hpp"
#include "support/kernel.hpp"

using namespace mansard;

namespace {

Budget explained(const std::string& workload, const std::string& schedule = "") {
  const std::filesystem::path root = MANSARD_SOURCE_DIR;
  RunRequest request;
  request.workload = root / "workloads" / (workload + ".yaml");
  request.machine = root / "machines" / "cpu" / "sandybridge-ep-e5-2680.yaml";
  request.definitions = {{"N", "60"}};
  if (workload == "spmv-csr") request.definitions = {{"N", "12"}};
  request.schedule.text = schedule;
  request.band = BandRuns::never;
  return explain(request);
}

std::string array_of(const std::string& reference) { return reference.substr(0, reference.find('[')); }

std::uint64_t fetched(const Budget& budget, const std::string& name, std::size_t boundary) {
  for (const BudgetReference& r : *budget.references) {
    if (r.name == name) return r.bytes[boundary];
  }
  return 0;
}

}  // namespace

TEST_CASE("what references fetch adds up to what their arrays fetch") {
  for (const auto& [workload, schedule] : {std::pair{"jacobi-3d-7pt", "tile(j: 16)"},
                                           {"heat-2d-time", ""},
                                           {"spmv-csr", ""},
                                           {"transpose", ""},
                                           {"gemm-naive", "unroll_jam(i: 2, j: 4)"}}) {
    INFO(workload);
    const Budget budget = explained(workload, schedule);
    REQUIRE(budget.references);
    for (std::size_t b = 0; b < budget.boundaries.size(); ++b) {
      std::map<std::string, std::uint64_t> sums;
      for (const BudgetReference& r : *budget.references) sums[array_of(r.name)] += r.bytes[b];
      for (const BudgetItem& item : budget.boundaries[b].items)
        CHECK(sums[item.array] == item.flow.demand_fills + item.flow.write_allocate);
    }
  }
}

TEST_CASE("of a stencil in the order of its rows the leading reference fetches, and behind a full L1 each plane's") {
  const Budget budget = explained("jacobi-3d-7pt");
  const std::uint64_t l2 = fetched(budget, "a[k+1][j][i]", 1);  // three planes of 28 KiB fit into the L2
  CHECK(l2 > 0);
  CHECK(fetched(budget, "a[k][j][i-1]", 1) == 0);
  CHECK(20 * fetched(budget, "a[k-1][j][i]", 1) < l2);
  const std::uint64_t l1 = fetched(budget, "a[k+1][j][i]", 0);  // and not into the L1
  CHECK(fetched(budget, "a[k-1][j][i]", 0) > l1 / 2);
  CHECK(20 * fetched(budget, "a[k][j][i-1]", 0) < l1);
}

TEST_CASE("subscripts are found again in addresses") {
  const Kernel kernel = kernel_of(
      "double u[2][9][9]; float w[9];"
      "for (int t = 0; t < 4; ++t) for (int j = 1; j < 8; ++j) for (int i = 1; i < 8; ++i)"
      " u[(t+1)%2][j][i] = u[t%2][j-1][i+1] + w[i];",
      {}, "", "layout(w: 0); pad(u: 3)");
  const Program program = lower(kernel, {});
  std::vector<std::string> names;
  for (const Nest& nest : program.nests) {
    visit_bodies(nest.nodes, [&](const Body& body) {
      for (const StreamRef& ref : body.refs) names.push_back(reference_text(kernel, program, ref));
    });
  }
  CHECK(names == std::vector<std::string>{"u[t%2][j-1][i+1]", "w[i]", "u[(t+1)%2][j][i]"});
}
