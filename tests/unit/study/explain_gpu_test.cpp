// What a cache of a GPU fetches again, told apart: since it is too small, or since lines meet in a set.
#include <algorithm>

#include "study/explain.hpp"
#include "support/catch.hpp"

using namespace mansard;

namespace {

/// copy, 2 x 8000 B, on one multiprocessor with an L2 of so many lines of 128 B.
BudgetBoundary behind_l2(const std::string& size, const std::string& ways) {
  const std::filesystem::path root = MANSARD_SOURCE_DIR;
  RunRequest request;
  request.workload = root / "workloads" / "copy.yaml";
  request.machine = root / "machines" / "gpu" / "v100-pcie.yaml";
  request.definitions = {{"N", "1000"}};
  for (const std::string& change : {std::string("sm.count=1"), "caches.L2.size=" + size, "caches.L2.ways=" + ways})
    request.overrides.push_back(parse_override(change));
  return explain(request).boundaries.back();
}

const BudgetItem& array(const BudgetBoundary& boundary, const std::string& name) {
  return *std::ranges::find(boundary.items, name, &BudgetItem::array);
}

}  // namespace

TEST_CASE("both vectors stay in a cache four times as large, were it not for lines that meet in its sets of one") {
  const BudgetBoundary boundary = behind_l2("64 KiB", "1");
  const BudgetItem& a = array(boundary, "a");
  CHECK(a.flow.demand_fills > 0);
  CHECK(a.compulsory == 0);
  CHECK(a.capacity == 0);
  CHECK(a.conflict == static_cast<std::int64_t>(a.flow.demand_fills));
  CHECK(array(behind_l2("64 KiB", "512"), "a").flow.total() == 0);
}

TEST_CASE("in a cache of a quarter of them nothing stays, and no set is to blame") {
  const BudgetItem a = array(behind_l2("4 KiB", "32"), "a");
  CHECK(a.flow.demand_fills == 8000);
  CHECK(a.compulsory == 8000);  // once, as it must be where it does not stay
  CHECK(a.capacity == 0);
  CHECK(a.conflict == 0);
}
