// The shipped workloads: every file loads, and what it says about its flops and accesses is so.
#include <algorithm>
#include <filesystem>
#include <map>
#include <span>

#include "support/catch.hpp"
#include "unit/workload/kernels.hpp"
#include "workload/load.hpp"
#include "workload/print.hpp"

using namespace mansard;

namespace {

Kernel shipped(const std::string& name, const Definitions& definitions = {}) {
  return make_kernel(load_workload(std::string(MANSARD_SOURCE_DIR "/workloads/") + name + ".yaml"), definitions);
}

std::uint32_t loads(const Value& v, const Kernel& k) {
  std::uint32_t n = v.op == Op::load && !k.arrays[v.access.array].is_private ? 1 : 0;
  for (const Value& operand : v.operands) n += loads(operand, k);
  return n;
}

bool loads_memory(const Value& v, const Kernel& k) { return v.op == Op::load && loads(v, k) == 1; }

struct Totals {
  std::uint32_t flops = 0, loads = 0, stores = 0;
};

/// Of each statement once, as written: before the register rules.
Totals totals(const Kernel& k) {
  Totals t;
  for (const Statement& s : statements(k)) {
    t.flops += count_flops(s).flops();
    t.loads += loads(s.value, k);
    const auto* target = std::get_if<Access>(&s.target);
    const bool memory = target && !k.arrays[target->array].is_private;
    t.stores += memory ? 1 : 0;
    t.loads += memory && s.assign != Assign::set ? 1 : 0;
  }
  return t;
}

}  // namespace

TEST_CASE("every shipped workload loads with its defaults, without warnings, and prints as C that parses") {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(MANSARD_SOURCE_DIR "/workloads")) {
    if (entry.path().extension() != ".yaml") continue;
    INFO(entry.path());
    ++files;
    const WorkloadFile w = load_workload(entry.path());
    CHECK(!w.description.empty());
    const Kernel k = make_kernel(w);
    CHECK(k.warnings.empty());
    Bindings data;
    for (const Array& a : k.arrays) {
      if (a.data) data.tables[a.name] = a.data;
    }
    const std::string text = to_c(k);
    CHECK(to_c(kernel_of(text, data)) == text);
  }
  CHECK(files >= 46);
}

TEST_CASE("flops, loads and stores of the shipped workloads") {
  const std::map<std::string, Totals> expected{{"copy", {0, 1, 1}},
                                               {"init", {0, 0, 1}},
                                               {"sgemm", {2, 3, 1}},
                                               {"scale", {1, 1, 1}},
                                               {"add", {1, 2, 1}},
                                               {"triad", {2, 2, 1}},
                                               {"schoenauer-triad", {2, 3, 1}},
                                               {"daxpy", {2, 2, 1}},
                                               {"daxpy-twice", {4, 4, 2}},
                                               {"daxpy-fused", {4, 4, 2}},
                                               {"dot", {2, 2, 0}},
                                               {"vector-sum", {1, 1, 0}},
                                               {"kahan-dot", {5, 2, 0}},
                                               {"jacobi-2d-5pt", {4, 4, 1}},
                                               {"jacobi-3d-7pt", {8, 7, 1}},
                                               {"star-3d-13pt", {15, 13, 1}},
                                               {"long-range-3d", {41, 28, 1}},
                                               {"uxx", {24, 17, 1}},
                                               {"spmv-csr", {2, 2, 1}},
                                               {"gemm-naive", {2, 3, 1}},
                                               {"gemm-blocked", {2, 3, 1}},
                                               {"transpose", {0, 1, 1}},
                                               {"stencil-1d-3pt", {4, 3, 1}},
                                               {"jacobi-3d-27pt", {30, 27, 1}},
                                               {"star-3d-25pt", {29, 25, 1}},
                                               {"varcoef-3d-7pt", {13, 14, 1}},
                                               {"himeno", {34, 33, 2}},  // and the copy; the centre of p is read twice
                                               {"gauss-seidel-3d", {6, 6, 1}},
                                               {"heat-2d-time", {7, 6, 1}},
                                               {"matvec", {2, 3, 1}},
                                               {"matvec-transposed", {2, 3, 1}},
                                               {"spmv-coo", {2, 3, 1}},
                                               {"spmv-sell", {2, 3, 1}}};
  for (const auto& [name, t] : expected) {
    INFO(name);
    const Totals found = totals(shipped(name));
    CHECK(found.flops == t.flops);
    CHECK(found.loads == t.loads);
    CHECK(found.stores == t.stores);
  }
}

TEST_CASE("LBM moves 19 populations in and out of every cell, each to another place") {
  for (const char* name : {"lbm-d3q19-push-soa", "lbm-d3q19-pull-soa", "lbm-d3q19-push-aos", "lbm-d3q19-pull-aos"}) {
    INFO(name);
    const Totals t = totals(shipped(name));
    CHECK(t.loads == 19);
    CHECK(t.stores == 19);
    CHECK(t.flops > 200);
    CHECK(t.flops < 300);
  }
  for (const char* name : {"lbm-d3q19-list", "lbm-d3q19-list-push"}) {  // the same arithmetic, other addresses
    INFO(name);
    const Totals t = totals(shipped(name, {{"N", "4"}}));
    CHECK(t.loads == 19);
    CHECK(t.stores == 19);
    CHECK(t.flops == totals(shipped("lbm-d3q19-pull-soa")).flops);
  }
  for (const auto& [name, populations] :
       {std::pair{"lbm-d2q9-pull", 9U}, {"lbm-d2q9-push", 9U}, {"lbm-d3q27-pull", 27U}}) {
    INFO(name);
    CHECK(totals(shipped(name)).loads == populations);
    CHECK(totals(shipped(name)).stores == populations);
  }
  CHECK(totals(shipped("lbm-d3q19-aa-fp32", {{"N", "8"}})).loads == 38);  // the flags belong to the conditions
  CHECK(totals(shipped("lbm-d3q19-aa-fp32", {{"N", "8"}})).stores == 38);
  const Kernel aa = shipped("lbm-d3q19-aa");
  CHECK(totals(aa).loads == 38);
  CHECK(totals(aa).stores == 38);
  REQUIRE(aa.nests.size() == 2);
  // AA: either step stores to exactly the 19 elements that it loaded.
  for (const Node& nest : aa.nests) {
    std::vector<std::string> read, written;
    visit_nodes(loop(nest).body, [&](const Node& node) {
      const auto* s = std::get_if<Statement>(&node.is);
      const auto text = [&](const Access& a) {
        std::string list;
        for (const Quasi& q : a.subscripts) list += to_string(q, aa) + ",";
        return list;
      };
      if (s && loads_memory(s->value, aa)) read.push_back(text(s->value.access));
      const auto* target = s ? std::get_if<Access>(&s->target) : nullptr;
      if (target && !aa.arrays[target->array].is_private) written.push_back(text(*target));
    });
    std::sort(read.begin(), read.end());
    std::sort(written.begin(), written.end());
    CHECK(read.size() == 19);
    CHECK(read == written);
  }
}

TEST_CASE("the directions of LBM are those of the lattice: each once and with its opposite") {
  // Qian, d'Humieres, Lallemand (1992): D2Q9 has rest, 4 and 4 directions of squared length 1 and 2, D3Q19 6 and 12,
  // D3Q27 6, 12 and 8 of squared length 3. Pull reads f_q from x - c_q.
  struct Lattice {
    const char* name;
    std::size_t directions;
    Int squares;
  };
  for (const auto& [name, count, expected] : {Lattice{"lbm-d2q9-pull", 9, 4 * 1 + 4 * 2},
                                              {"lbm-d3q19-pull-soa", 19, 6 * 1 + 12 * 2},
                                              {"lbm-d3q27-pull", 27, 6 * 1 + 12 * 2 + 8 * 3}}) {
    INFO(name);
    const Kernel k = shipped(name, {{"N", "3"}});
    std::vector<std::vector<Int>> directions;
    for (const Statement& s : statements(k)) {
      if (!loads_memory(s.value, k)) continue;
      std::vector<Int>& d = directions.emplace_back();
      for (const Quasi& at : std::span(s.value.access.subscripts).subspan(1)) d.push_back(at.constant);
    }
    REQUIRE(directions.size() == count);
    Int squares = 0;
    for (const std::vector<Int>& d : directions) {
      std::vector<Int> opposite;
      for (const Int x : d) opposite.push_back(-x), squares += x * x;
      CHECK(std::ranges::count(directions, d) == 1);
      CHECK(std::ranges::count(directions, opposite) == 1);
    }
    CHECK(squares == expected);
  }
}
