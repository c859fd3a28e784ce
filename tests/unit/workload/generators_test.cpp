#include <algorithm>
#include <set>

#include "input/yaml.hpp"
#include "support/catch.hpp"
#include "unit/workload/kernels.hpp"
#include "workload/data/bind.hpp"
#include "workload/data/matrix_format.hpp"
#include "workload/data/random.hpp"

using namespace mansard;

namespace {

const std::set<std::string> code_names{"row", "col", "rowptr", "next", "t", "chunk"};

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

TEST_CASE("a ring with a stride leaves out the elements in between") {
  const auto next = values(bound("next: {ring: {n: 5, stride: 3}}"), "next");
  REQUIRE(next.size() == 15);
  std::set<std::int32_t> seen;
  for (std::int32_t p = 0; seen.insert(p).second; p = next[static_cast<std::size_t>(p)]) CHECK(p % 3 == 0);
  CHECK(seen.size() == 5);
}

// Rows {0}, {0 1 2}, {}, {1 2} of four columns.
const std::string by_hand = R"(A: {matrix_market: four.mtx, format: )";

TEST_CASE("COO has the row of each entry") {
  const Bindings b = bound(by_hand + "coo}");
  CHECK(values(b, "row") == std::vector<std::int32_t>{0, 1, 1, 1, 3, 3});
  CHECK(values(b, "col") == std::vector<std::int32_t>{0, 0, 1, 2, 1, 2});
  CHECK(parameter(b, "A_nnz") == 6);
}

TEST_CASE("SELL-C-sigma: chunks are padded to their longest row and stored by columns") {
  const Bindings b = bound(by_hand + "{sell: {chunk: 2}}}");
  CHECK(values(b, "chunk") == std::vector<std::int32_t>{0, 6, 10});
  CHECK(values(b, "col") ==
        std::vector<std::int32_t>{0, 0, 0, 1, 0, 2, 0, 1, 0, 2});  // row 0 repeats 0, row 2 is empty
  CHECK(parameter(b, "nchunks") == 2);
  CHECK(parameter(b, "nentries") == 10);
  CHECK(parameter(b, "nnz") == 6);
}

TEST_CASE("SELL-C-sigma: sorting within sigma rows saves padding; columns are renumbered with the rows") {
  const Bindings b = bound(by_hand + "{sell: {chunk: 2, sigma: 4}}}");  // rows in the order 1, 3, 0, 2: old 0 is 2, …
  CHECK(values(b, "chunk") == std::vector<std::int32_t>{0, 6, 8});
  CHECK(values(b, "col") == std::vector<std::int32_t>{2, 0, 0, 3, 3, 3, 2, 0});
  const Bindings odd = bound(by_hand + "{sell: {chunk: 3}}}");  // the last chunk has one row and two empty ones
  CHECK(values(odd, "chunk") == std::vector<std::int32_t>{0, 9, 15});
}

TEST_CASE("fluid cells of D3Q19: streaming with bounce-back is a permutation of the populations") {
  for (const char* what : {"d3q19_pull", "d3q19_push"}) {
    for (const char* how : {"n: 3", "n: 4, solid: 40", "n: 4, solid: 40, aos: 1"}) {
      INFO(what << " " << how);
      const Bindings b = bound("A: {" + std::string(what) + ": {" + how + "}}");
      const Int cells = parameter(b, "nrows");
      CHECK(parameter(b, "ncols") == 19 * cells);
      std::vector<std::int32_t> col = values(b, "col");
      CHECK(static_cast<Int>(col.size()) == 18 * cells);
      std::ranges::sort(col);
      CHECK(std::ranges::adjacent_find(col) == col.end());
    }
  }
}

TEST_CASE("fluid cells of D3Q19: two cells by hand") {
  // A box of 2*2*2 cells, x fastest; cell 0 has the neighbours +x 1, +y 2, +z 4, +x+y 3, +x+z 5, +y+z 6; cell = 8*q +
  // number.
  const auto pushed = values(bound("A: {d3q19_push: {n: 2}}"), "col");
  // q: 1 +x, 2 -x (back as 1), 3 +y, 4 -y (as 3), 5 +z, 6 -z (as 5), 7 +x+y, 8 -x-y (as 7), 9 +x-y (as 10), 10 -x+y (as
  // 9), …
  const std::vector<std::int32_t> first(pushed.begin(), pushed.begin() + 10);
  CHECK(first == std::vector<std::int32_t>{8 * 1 + 1, 8 * 1 + 0, 8 * 3 + 2, 8 * 3 + 0, 8 * 5 + 4, 8 * 5 + 0, 8 * 7 + 3,
                                           8 * 7 + 0, 8 * 10 + 0, 8 * 9 + 0});
  const auto pulled = values(bound("A: {d3q19_pull: {n: 2, aos: 1}}"), "col");
  // q = 2 comes from +x, that is from cell 1; q = 1 would come from -x: back from q = 2 of cell 0.
  CHECK(pulled[0] == 19 * 0 + 2);
  CHECK(pulled[1] == 19 * 1 + 2);
}

TEST_CASE("mistakes in the format of a matrix") {
  CHECK(wrong("A: {banded: {rows: 2, band: 1}, format: cso}") ==
        std::vector<std::string>{"1:41: expected one of coo, csr, sell"});
  CHECK(wrong("A: {banded: {rows: 2, band: 1}, format: sell}") ==
        std::vector<std::string>{"1:41: expected a map with the key 'chunk'"});
  CHECK(wrong("A: {banded: {rows: 2, band: 1}, format: {sell: {chunk: 0}}}") ==
        std::vector<std::string>{"1:56: 0: expected 1 to 1048576"});
  CHECK(wrong("A: {banded: {rows: 2, band: 1}, format: {sell: {chunk: 2, sigm: 0}}}").size() == 1);
  CHECK(wrong("A: {banded: {rows: 2, band: 1}, format: {sell: {chunk: 2}}, row: row}").size() == 1);
  CHECK(wrong("t: {values: [1], format: coo}").size() == 1);
  CHECK(wrong("A: {d3q19_pull: {n: 3, solid: 100}}") == std::vector<std::string>{"1:31: 100: expected 0 to 99"});
  CHECK(wrong("A: {d3q19_pull: {n: 400}}").size() == 1);
  CHECK(wrong("A: {d3q19_pull: {n: 1, solid: 99}}") == std::vector<std::string>{"1:17: no cell of the box is fluid"});
  CHECK(wrong("next: {ring: {n: 100000000, stride: 2}}").size() == 1);
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

TEST_CASE("every generator and format has a summary") {
  CHECK(all_generators().size() >= 13);
  for (const Generator* g : all_generators()) CHECK(!g->summary.empty());
  CHECK(all_matrix_formats().size() >= 3);
  for (const MatrixFormat* f : all_matrix_formats()) CHECK(!f->summary.empty());
}
