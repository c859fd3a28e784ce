#include "stream/cores.hpp"

#include "stream/work.hpp"
#include "support/catch.hpp"
#include "support/elements.hpp"
#include "support/kernel.hpp"

using namespace mansard;

namespace {

struct Turn {
  std::uint32_t core;
  std::uint64_t address;
  friend bool operator==(const Turn&, const Turn&) = default;
};

/// The loads in the order of the cores' turns, as byte offsets from the first array.
std::vector<Turn> turns(const std::string& code, const std::string& schedule, std::uint32_t cores) {
  const Program program = lower(kernel_of(code, {}, "", schedule), {});
  CoresWalker walker(program, cores);
  std::vector<Turn> result;
  for (const Nest& nest : program.nests) {
    walker.walk(nest, [&](std::uint32_t core, const Batch& batch) {
      std::vector<Element> elements;
      append_elements(batch, elements);
      for (const Element& e : elements) {
        if (e.kind == Kind::load) result.push_back({core, e.address - program.regions[0].start});
      }
    });
  }
  return result;
}

std::vector<std::uint64_t> assigned(const Assignment& mine) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t n = 0; n < mine.count(); ++n) all.push_back(mine.at(n));
  return all;
}
using Numbers = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("blocks are equal, the first ones an iteration longer; chunks are dealt out in turn") {
  CHECK(assigned({10, 4, 0}) == Numbers{0, 1, 2});
  CHECK(assigned({10, 4, 1}) == Numbers{3, 4, 5});
  CHECK(assigned({10, 4, 2}) == Numbers{6, 7});
  CHECK(assigned({10, 4, 3}) == Numbers{8, 9});
  CHECK(assigned({2, 4, 2}).empty());
  CHECK(assigned({11, 2, 0, 2}) == Numbers{0, 1, 4, 5, 8, 9});
  CHECK(assigned({11, 2, 1, 2}) == Numbers{2, 3, 6, 7, 10});
  CHECK(assigned({3, 4, 3, 1}).empty());
}

TEST_CASE("a turn is one iteration of the loop inside the shared one") {
  const std::string code =
      "double a[4][2][2]; double s;\n"
      "for (int k = 0; k < 4; ++k) for (int j = 0; j < 2; ++j) for (int i = 0; i < 2; ++i) s += a[k][j][i];";
  CHECK(turns(code, "reassociate; parallel(k)", 2) == std::vector<Turn>{{0, 0},
                                                                        {0, 8},
                                                                        {1, 64},
                                                                        {1, 72},
                                                                        {0, 16},
                                                                        {0, 24},
                                                                        {1, 80},
                                                                        {1, 88},
                                                                        {0, 32},
                                                                        {0, 40},
                                                                        {1, 96},
                                                                        {1, 104},
                                                                        {0, 48},
                                                                        {0, 56},
                                                                        {1, 112},
                                                                        {1, 120}});
  CHECK(turns(code, "reassociate; parallel(k, chunk: 1)", 2)[2] == Turn{1, 32});
}

TEST_CASE("without a loop inside, an iteration is a turn; cores with fewer iterations leave the round") {
  CHECK(turns("double a[3]; double s;\nfor (int i = 0; i < 3; ++i) s += a[i];", "reassociate; parallel(i)", 2) ==
        std::vector<Turn>{{0, 0}, {1, 16}, {0, 8}});
}

TEST_CASE("what is not shared is core 0's, and a loop shared within others is shared at each entry") {
  const std::string code =
      "double a[2][2]; double s;\n"
      "for (int j = 0; j < 2; ++j) for (int i = 0; i < 2; ++i) s += a[j][i];";
  CHECK(turns(code, "", 2) == std::vector<Turn>{{0, 0}, {0, 8}, {0, 16}, {0, 24}});
  CHECK(turns(code, "reassociate; parallel(i)", 2) == std::vector<Turn>{{0, 0}, {1, 8}, {0, 16}, {1, 24}});
}

TEST_CASE("executions are sums over the cores") {
  const Program program = lower(
      kernel_of("double a[5]; double s;\nfor (int i = 0; i < 5; ++i) s += a[i];", {}, "", "reassociate; parallel(i)"),
      {});
  CoresWalker walker(program, 3);
  walker.walk(program.nests[0], [](std::uint32_t, const Batch&) {});
  CHECK(work_of(program.nests[0], walker.executions()).updates == 5);
  CHECK(serial_nests(program).empty());
  CHECK(serial_nests(lower(kernel_of("double a[5];\nfor (int i = 0; i < 5; ++i) a[i] = 1;"), {})) ==
        std::vector<std::string>{"S1"});
}
