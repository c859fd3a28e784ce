#include "workload/load.hpp"

#include <filesystem>
#include <fstream>

#include "support/catch.hpp"
#include "unit/workload/kernels.hpp"

using namespace mansard;

namespace {

const char* spmv =
    "name: Sparse matrix times vector\n"
    "parameters: {n: 3, band: n - 2}\n"
    "data: {A: {banded: {rows: n, band: band}}}\n"
    "code: |\n"
    "  double val[nnz], x[ncols], y[nrows]; int col[nnz], row[nrows+1];\n"
    "  for (int r = 0; r < nrows; ++r) {\n"
    "    for (int p = row[r]; p < row[r+1]; ++p) y[r] += val[p] * x[col[p]];\n"
    "  }\n"
    "schedule: [parallel(r), 'tile(p:8, r:4)']\n"
    "update: r\n";

std::vector<std::string> wrong(const std::string& yaml, const Definitions& definitions = {}) {
  return mistakes([&] { make_kernel(parse_workload(yaml, "w.yaml"), definitions); });
}

/// A file in the temporary folder that is removed again.
struct TemporaryFile {
  std::filesystem::path path;
  TemporaryFile(const std::string& name, const std::string& text)
      : path(std::filesystem::temp_directory_path() / name) {
    std::ofstream(path) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
};

}  // namespace

TEST_CASE("a workload file: parameters, data, code, schedule, update") {
  const WorkloadFile w = parse_workload(spmv, "folder/spmv.yaml");
  CHECK(w.id == "spmv");
  CHECK(w.name == "Sparse matrix times vector");
  CHECK(w.folder == "folder");
  REQUIRE(w.schedule.size() == 2);
  CHECK(w.schedule[1].text == "tile(p:8, r:4)");
  CHECK(to_string(w.schedule[1].at(5)) == "folder/spmv.yaml:9:31");
  const Kernel k = make_kernel(w, {{"n", "2*3"}});
  CHECK(k.name == "spmv");
  CHECK(k.parameters == Parameters{{"n", 6},
                                   {"band", 4},
                                   {"A_nrows", 6},
                                   {"nrows", 6},
                                   {"A_ncols", 6},
                                   {"ncols", 6},
                                   {"A_nnz", 34},
                                   {"nnz", 34}});
  CHECK(loop(k.nests[0]).counts_updates);
}

TEST_CASE("positions in the code are those in the YAML file") {
  std::string text = spmv;
  text.replace(text.find("x[col[p]]"), 9, "z[col[p]]");
  CHECK(wrong(text) == std::vector<std::string>{"7:62: 'z' is not declared"});
  CHECK(wrong("parameters: {N: 4}\ncode: |\n  double a[N];\n  for (int i = 0; i < N; ++i) a[i+1] = 1;\n") ==
        std::vector<std::string>{"4:31: subscript 1 of 'a' is 4: expected 0 to 3"});
}

TEST_CASE("mistakes in the YAML are found together") {
  const auto list = wrong("nmae: x\nparameters: {1N: 4, M: [1]}\nschedule: {a: b}\n");
  CHECK(list.size() == 5);  // unknown key, bad name, list as a value, no code, schedule is a map
}

TEST_CASE("parameters: wrong values, unknown names, overflow, what the data supply") {
  const std::string code = "code: |\n  double a[N][M]; a[0][0] = 1;\n";
  CHECK(wrong("parameters: {N: 4, M: K}\n" + code) == std::vector<std::string>{"1:23: 'K' is not declared"});
  CHECK(wrong("parameters: {N: 4.5, M: 1}\n" + code) ==
        std::vector<std::string>{"1:17: expected an integer, found 4.5"});
  CHECK(wrong("parameters: {N: 4, M: 4 4}\n" + code) ==
        std::vector<std::string>{"1:25: expected an operator or the end, found '4'"});
  CHECK(wrong("parameters: {N: 4000000000*4000000000, M: 1}\n" + code) ==
        std::vector<std::string>{"1:27: this integer expression can pass 2^62"});
  CHECK(wrong("parameters: {N: 4}\n" + code) == std::vector<std::string>{"3:15: a parameter without a value: M"});
  CHECK(wrong("parameters: {N: 4}\n" + code, {{"M", "N+1"}}).empty());
  CHECK(wrong("parameters: {N: 4, M: N}\n" + code, {{"m", "3"}}) ==
        std::vector<std::string>{"0:0: w has no parameter 'm': it has N, M"});
  CHECK(wrong("parameters: {N: 4, M: N}\n" + code, {{"M", "3"}, {"M", "4"}}) ==
        std::vector<std::string>{"0:0: the parameter 'M' is given twice"});
  CHECK(wrong(spmv, {{"nnz", "3"}}) ==
        std::vector<std::string>{"3:8: the parameter 'nnz' is supplied by these data and cannot be given"});
}

TEST_CASE("index data must fit the declaration") {
  std::string text = spmv;
  text.replace(text.find("row[nrows+1]"), 12, "row[nrows+2]");
  CHECK(wrong(text) == std::vector<std::string>{"5:54: 'row' is declared with 5 elements, the data supply 4"});
  text = spmv;
  text.replace(text.find("int col"), 3, "double");
  CHECK(wrong(text)[0] == "5:47: the data supply integers for 'col': expected an integer type such as int");
}

TEST_CASE("definitions") {
  CHECK(parse_definition("N=2*M") == std::pair<std::string, std::string>("N", "2*M"));
  CHECK(mistakes([] { parse_definition("N"); }) ==
        std::vector<std::string>{"0:0: expected name=value, as in -D N=512"});
  CHECK(mistakes([] { parse_definition("3=4"); }) == std::vector<std::string>{"0:0: '3' is not a name of C"});
}

TEST_CASE("Kerncraft kernels are bare C files with parameters from outside") {
  // In the form of the kernels that come with Kerncraft: sizes are undeclared names, scalars have no value.
  const TemporaryFile file(
      "mansard_2d-5pt.c",
      "double a[M][N];\ndouble b[M][N];\ndouble s;\n\n"
      "for(int j=1; j<M-1; ++j)\n    for(int i=1; i<N-1; ++i)\n"
      "        b[j][i] = ( a[j][i-1] + a[j][i+1]\n                  + a[j-1][i] + a[j+1][i]) * s;\n");
  const WorkloadFile w = load_workload(file.path);
  CHECK(w.id == "mansard_2d-5pt");
  const Kernel k = make_kernel(w, {{"M", "100"}, {"N", "2*M"}});
  CHECK(k.arrays[0].extents == std::vector<Int>{100, 200});
  CHECK(mistakes([&] { make_kernel(w); }) == std::vector<std::string>{"1:10: parameters without a value: M, N"});
}

TEST_CASE("data from files beside the workload: Matrix Market and lists of integers") {
  const TemporaryFile matrix(
      "mansard_A.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 2.0\n2 1 -1.0\n2 2 2.0\n3 3 1.0\n");
  const TemporaryFile order("mansard_order.txt", "2 0\n1\n");
  const TemporaryFile workload("mansard_w.yaml",
                               "data: {A: {matrix_market: mansard_A.mtx}, perm: {file: mansard_order.txt}}\n"
                               "code: |\n"
                               "  double val[nnz], x[ncols], y[nrows]; int col[nnz], row[nrows+1], perm[nrows];\n"
                               "  for (int r = 0; r < nrows; ++r)\n"
                               "    for (int p = row[perm[r]]; p < row[perm[r]+1]; ++p) y[r] += val[p] * x[col[p]];\n");
  const Kernel k = make_kernel(load_workload(workload.path));
  CHECK(*k.arrays[3].data == std::vector<std::int32_t>{0, 1, 0, 1, 2});  // symmetric: expanded
  CHECK(*k.arrays[4].data == std::vector<std::int32_t>{0, 2, 4, 5});
  const Loop& p = loop(loop(k.nests[0]).body[0]);
  CHECK(p.reads.size() == 4);
  const TemporaryFile bad("mansard_order.txt", "2 0\n1 x\n");
  CHECK(mistakes([&] { make_kernel(load_workload(workload.path)); }) ==
        std::vector<std::string>{"2:3: expected integers of 32 bits between blanks"});
}

TEST_CASE("a file that is not there") {
  CHECK(mistakes([] { load_workload("/nowhere/w.yaml"); }).size() == 1);
}
