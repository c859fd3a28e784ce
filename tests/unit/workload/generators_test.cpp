#include <algorithm>
#include <set>

#include "input/yaml.hpp"
#include "support/catch.hpp"
#include "unit/workload/kernels.hpp"
#include "workload/data/bind.hpp"
#include "workload/data/generator.hpp"
#include "workload/data/random.hpp"

using namespace mansard;

namespace {

const std::set<std::string> code_names{"row", "col", "rowptr", "next", "t"};

Bindings bound(const std::string& yaml, const Parameters& parameters = {}) {
  Bindings b = with(parameters);
  bind_data(parse_yaml(yaml, "w.yaml"), MANSARD_SOURCE_DIR "/tests/unit/workload", code_names, b);
  return b;
}
std::vector<std::int32_t> values(const Bindings& b, const std::string& name) { return *b.tables.at(name); }
Int parameter(const Bindings& b, const std::string& name) {
  return std::ranges::find(b.parameters, name, &std::pair<std::string, Int>::first)->second;
}
std::vector<std::string> wrong(const std::string& yaml) {
  return mistakes([&] { bound(yaml); });
}

/// CSR in order: pointers ascend to the number of entries, columns ascend within a row.
void check_csr(const Bindings& b) {
  const auto row = values(b, "row"), col = values(b, "col");
  REQUIRE(static_cast<Int>(row.size()) == parameter(b, "nrows") + 1);
  CHECK(row.front() == 0);
  CHECK(row.back() == static_cast<std::int32_t>(col.size()));
  CHECK(parameter(b, "nnz") == static_cast<Int>(col.size()));
  for (std::size_t r = 0; r + 1 < row.size(); ++r) {
    const auto begin = col.begin() + row[r], end = col.begin() + row[r + 1];
    CHECK(std::adjacent_find(begin, end, std::greater_equal<>()) == end);
  }
  CHECK(*std::ranges::min_element(col) >= 0);
  CHECK(*std::ranges::max_element(col) < parameter(b, "ncols"));
}

}  // namespace

TEST_CASE("banded: 2*band + 1 entries a row, fewer at the ends") {
  const Bindings b = bound("A: {banded: {rows: N, band: 1}}", {{"N", 4}});
  CHECK(values(b, "row") == std::vector<std::int32_t>{0, 2, 5, 8, 10});
  CHECK(values(b, "col") == std::vector<std::int32_t>{0, 1, 0, 1, 2, 1, 2, 3, 2, 3});
  check_csr(b);
  CHECK(parameter(b, "A_nnz") == 10);
}

TEST_CASE("Laplacians: 7n^3 - 6n^2 and (3n-2)^3 entries") {
  const Bindings seven = bound("A: {laplacian_3d_7pt: {n: 5}}");
  check_csr(seven);
  CHECK(parameter(seven, "nnz") == 7 * 125 - 6 * 25);
  const Bindings all = bound("A: {laplacian_3d_27pt: {n: 2*N}}", {{"N", 2}});
  check_csr(all);
  CHECK(parameter(all, "nnz") == 1000);
}

TEST_CASE("random matrices are in order, deterministic and depend on the seed") {
  const Bindings b = bound("A: {random_uniform: {rows: 50, columns: 20, per_row: 5}}");
  check_csr(b);
  CHECK(parameter(b, "nnz") == 250);
  CHECK(values(b, "col") == values(bound("A: {random_uniform: {rows: 50, columns: 20, per_row: 5, seed: 1}}"), "col"));
  CHECK(values(b, "col") != values(bound("A: {random_uniform: {rows: 50, columns: 20, per_row: 5, seed: 2}}"), "col"));
  check_csr(bound("A: {random_uniform: {rows: 10, per_row: 10}}"));
  const Bindings p = bound("A: {power_law: {rows: 20000, mean: 8, exponent: 3}}");
  check_csr(p);
  CHECK(static_cast<double>(parameter(p, "nnz")) / 20000 == Approx(8).epsilon(0.05));
}

TEST_CASE("splitmix64 gives the published sequence") {
  // First outputs for seed 1234567, as listed with the reference implementation (Vigna).
  Random random(1234567);
  CHECK(random.bits() == 6457827717110365317ULL);
  CHECK(random.bits() == 3203168211198807973ULL);
}

TEST_CASE("a ring visits every element once; a permutation has every number once") {
  const auto next = values(bound("next: {ring: {n: 1000}}"), "next");
  std::int32_t p = 0;
  int steps = 0;
  do {
    p = next[static_cast<std::size_t>(p)];
    ++steps;
  } while (p != 0 && steps <= 1000);
  CHECK(steps == 1000);
  auto t = values(bound("t: {permutation: {n: 1000}}"), "t");
  CHECK(!std::ranges::is_sorted(t));
  std::ranges::sort(t);
  CHECK((t.front() == 0 && t.back() == 999 && std::adjacent_find(t.begin(), t.end()) == t.end()));
}

TEST_CASE("flags, listed values, and matrices bound to other names") {
  const auto t = values(bound("t: {flags: {n: 100000, ratio: 0.3}}"), "t");
  CHECK(static_cast<double>(std::ranges::count(t, 1)) == Approx(30000).epsilon(0.05));
  CHECK(values(bound("t: {values: [1, -N, 3]}", {{"N", 2}}), "t") == std::vector<std::int32_t>{1, -2, 3});
  const Bindings b = bound("A: {banded: {rows: 2, band: 0}, row: rowptr}");
  CHECK(values(b, "rowptr") == std::vector<std::int32_t>{0, 1, 2});
  CHECK(!b.tables.contains("row"));
  const Bindings two = bound("A: {banded: {rows: 2, band: 0}}\nB: {banded: {rows: 3, band: 0}}");
  CHECK(!two.tables.contains("row"));
  CHECK(values(two, "B_row").size() == 4);
  CHECK(parameter(two, "A_nrows") == 2);
}

TEST_CASE("mistakes under data") {
  CHECK(wrong("A: {bandet: {rows: 2}}")[0].starts_with("1:5: unknown key 'bandet': expected one of banded, "));
  CHECK(wrong("A: {banded: {rows: 2}}").size() == 1);
  CHECK(wrong("A: {banded: {rows: 0, band: 1}}") == std::vector<std::string>{"1:20: 0: expected 1 to 134217728"});
  CHECK(wrong("A: {banded: {rows: K, band: 1}}") == std::vector<std::string>{"1:20: 'K' is not declared"});
  CHECK(wrong("A: {banded: {rows: 2, band: 1, bent: 2}}").size() == 1);
  CHECK(wrong("A: {banded: {rows: 100000000, band: 500}}") ==
        std::vector<std::string>{"1:13: 100100000000 entries: expected 1 to 134217728"});
  CHECK(wrong("A: {banded: {rows: 2, band: 1}, row: rows}") ==
        std::vector<std::string>{"1:38: the code declares no array 'rows'"});
  CHECK(wrong("A: {laplacian_3d_7pt: 4}") == std::vector<std::string>{"1:23: expected a map with the key 'n'"});
  CHECK(wrong("u: {values: [1]}") == std::vector<std::string>{"1:1: the code declares no array 'u'"});
  CHECK(wrong("t: {values: [99999999999]}").size() == 1);
  CHECK(wrong("A: {random_uniform: {rows: 4, columns: 3, per_row: 5}}") ==
        std::vector<std::string>{"1:52: 5: expected 1 to 3"});
  CHECK(wrong("t: {flags: {n: 4, ratio: 1.5}}") == std::vector<std::string>{"1:26: 1.5: expected 0 to 1"});
  CHECK(wrong("A: {banded: {rows: 2, band: 1}, ring: {n: 3}}").size() == 1);
  CHECK(wrong("[1, 2]").size() == 1);
}

TEST_CASE("every generator has a summary") {
  CHECK(all_generators().size() >= 11);
  for (const Generator* g : all_generators()) CHECK(!g->summary.empty());
}
