#include "schedule/step.hpp"
#include "support/catch.hpp"
#include "support/kernel.hpp"

using namespace mansard;

namespace {

const std::string copy =
    "double a[4][6], b[4][6]; int c[2];"
    "for (int j = 0; j < 4; ++j) for (int i = 0; i < 6; ++i) b[j][i] = a[j][i];";

std::string refusal(const std::string& schedule) { return refusal_of(copy, schedule, "c: {values: [1, 70000]}"); }

}  // namespace

TEST_CASE("a refused tile says how to stay within an iteration of the loops outside") {
  const std::string code =
      "double a[9]; for (int s = 0; s < 3; ++s) for (int t = 0; t < 3; ++t)"
      " for (int i = 1; i < 8; ++i) a[i] = a[i-1] + a[i+1];";
  CHECK(refusal_of(code, "tile(i: 4)").find("with s: 1, t: 1 named first") != std::string::npos);
  CHECK(refusal_of(code, "tile(s: 1, t: 1, i: 4)").empty());
  CHECK(refusal_of(code, "tile(s: 1, t: 2, i: 4)").find("named first") == std::string::npos);
}

TEST_CASE("steps are applied in order and recorded") {
  const Kernel k = kernel_of(copy, {}, "", "pad(a: 1x2); pad(b: 8); nontemporal(b); type(a: float); parallel(j)");
  CHECK(k.schedule.size() == 5);
  CHECK(k.arrays[0].padding == std::vector<Int>{1, 2});
  CHECK(k.arrays[1].padding == std::vector<Int>{0, 8});
  CHECK(k.arrays[1].nontemporal);
  CHECK(k.arrays[0].type == ElementType::f32);
  CHECK(std::get<Loop>(k.nests[0].is).parallel);
}

TEST_CASE("type without an array changes all floating-point arrays and no others") {
  const Kernel k = kernel_of(copy, {}, "c: {values: [1, 2]}", "type(float)");
  CHECK(k.arrays[0].type == ElementType::f32);
  CHECK(k.arrays[1].type == ElementType::f32);
  CHECK(k.arrays[2].type == ElementType::i32);
}

TEST_CASE("what cannot be done is refused at its position") {
  CHECK(refusal("tiel(j: 8)").find("--schedule:1:1: unknown schedule step 'tiel'") == 0);
  CHECK(refusal("nontemporal(a)").find("--schedule:1:13: 'a' is never stored to") == 0);
  CHECK(refusal("nontemporal(x)").find("no array is called 'x'; the arrays are a, b, c") != std::string::npos);
  CHECK(refusal("layout(a: 0 0)").find("--schedule:1:11: the order of 'a' must name each of its 2 dimensions once") ==
        0);
  CHECK(refusal("pad(a: 1x2x3)").find("'a' has 2 dimensions") != std::string::npos);
  CHECK(refusal("pad(a: -1)").find("expected a whole number from 0") != std::string::npos);
  CHECK(refusal("pad(a: 4294967296x4294967296)").find("more than 2^47 bytes") != std::string::npos);
  CHECK(refusal("type(c: short)").find("the values of 'c' do not fit into short") != std::string::npos);
  CHECK(refusal("type(a: int)").find("a floating-point array stays one") != std::string::npos);
  CHECK(refusal("type(flaot)").find("did you mean 'float'?") != std::string::npos);
  CHECK(refusal("parallel(k)").find("no loop is called 'k'; the loops are j, i") != std::string::npos);
}
