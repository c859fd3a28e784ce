// The byte budget: for every boundary and array, where the bytes come from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/summary.hpp"

namespace mansard {

/// Bytes of one array over one boundary. The fills (demand and write-allocate) are compulsory + capacity + conflict.
struct BudgetItem {
  std::string array;
  Flow flow;
  std::uint64_t compulsory = 0;  ///< at most once per run of the workload: the array, where it does not stay cached
  std::uint64_t capacity = 0;    ///< fills that a fully associative cache of the same size makes as well
  std::int64_t conflict = 0;     ///< what is more than that; negative where limited associativity happens to help
};

/// What an array of `whole` bytes moves over a boundary, and would with a fully associative cache above it.
BudgetItem budget_item(const std::string& array, const Flow& flow, const Flow& associative, std::uint64_t whole);

/// What is fetched for one reference of the text, over each boundary.
struct BudgetReference {
  std::string nest, name, kind;  ///< "S1", "a[k+1][j][i]", "load"
  std::vector<std::uint64_t> bytes;
};

struct BudgetBoundary {
  std::string name, level;  ///< "L1-L2"; the cache above it, "L1"
  std::vector<BudgetItem> items;
};

/// An effect, the reason for it, and the remedy, in one sentence; the largest first.
struct Budget {
  Summary summary;
  std::vector<BudgetBoundary> boundaries;
  std::optional<std::vector<BudgetReference>> references;  ///< absent where it would take too long
  std::optional<double> naive_intensity;                   ///< flop/B if every access of the text were a transfer
  std::vector<std::string> layers;                         ///< layer conditions: "one iteration of k touches …"
  std::vector<std::string> causes;
};

std::string budget_table(const Budget& budget);
std::string budget_json(const Budget& budget);

}  // namespace mansard
