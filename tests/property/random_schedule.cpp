#include "property/random_schedule.hpp"

#include <fmt/format.h>
#include <rapidcheck.h>

namespace mansard::property {
namespace {

int any(int low, int high) { return *rc::gen::inRange(low, high + 1); }
bool chance(int percent) { return any(1, 100) <= percent; }
template <class T>
T one_of(std::initializer_list<T> values) {
  return *rc::gen::elementOf(std::vector<T>(values));
}

std::string offset(const std::string& loop) { return loop + one_of<std::string>({"", "", "+1", "-1", "+2"}); }

/// A subscript pair within 0 … 11 for loops from 1 to 8.
std::string place() {
  return chance(85) ? fmt::format("[{}][{}]", offset("j"), offset("i"))
                    : fmt::format("[{}][{}]", offset("i"), offset("j"));
}

std::string element(bool timed) {
  if (timed && chance(60)) return fmt::format("a[{}]{}", one_of<std::string>({"t%2", "(t+1)%2"}), place());
  return one_of<std::string>({"b", "b", "c"}) + place();
}

std::string statement(bool timed) {
  const std::string op = chance(75) ? "=" : one_of<std::string>({"+=", "*="});
  std::string right = "0.5 * " + element(timed);
  for (int n = any(0, 2); n > 0; --n) right += " + 0.25 * " + element(timed);
  return fmt::format("{} {} {};", element(timed), op, right);
}

std::string loop(const std::string& name, const std::string& outer) {
  std::string low = one_of<std::string>({"1", "1", "2"});
  std::string high = one_of<std::string>({"8", "8", "7", "5"});
  if (!outer.empty() && chance(15)) high = "min(8, " + outer + "+2)";
  if (!outer.empty() && chance(15)) low = "max(1, " + outer + "-2)";
  if (chance(10)) return fmt::format("for (int {0} = {2}; {0} >= {1}; --{0}) ", name, low, high);
  return fmt::format("for (int {0} = {1}; {0} <= {2}; {0} += {3}) ", name, low, high, chance(85) ? 1 : 2);
}

std::string body(bool timed) {
  std::string text;
  for (int n = any(1, 2); n > 0; --n) {
    if (chance(15)) text += "if (i + j < 9) ";
    text += statement(timed);
  }
  if (chance(15)) text = fmt::format("double d = 0.5 * {}; {} = d * d;", element(timed), element(timed));
  return "{ " + text + " }\n";
}

/// Sums in a scalar that lives through a loop, for rows or for elements.
std::string sums() {
  const std::string op = chance(80) ? "+=" : "*=";
  const std::string first = chance(50) ? "0" : "0.5 * b[j][2]";
  if (chance(50)) {
    const std::string last = chance(50) ? "c[j][3] = s;" : "b[j][2] += s;";
    return loop("j", "") + fmt::format("{{ double s = {}; ", first) + loop("i", "j") +
           fmt::format("{{ s {} 0.25 * {}; }} {} }}\n", op, element(false), last);
  }
  return loop("j", "") + loop("i", "j") + fmt::format("{{ double s = {}; ", first) + loop("k", "i") +
         fmt::format("{{ s {} 0.25 * b[k]{}; }} {} = s; }}\n", op, one_of<std::string>({"[i]", "[j]", "[k]"}),
                     element(false));
}

std::string nest(bool timed) {
  if (chance(20)) {
    return loop("j", "") + "{ " + loop("i", "j") + body(false) + loop("i", "") + body(false) + "}\n";
  }
  return (timed ? "for (int t = 0; t < 4; ++t) " : "") + loop("j", timed ? "t" : "") + loop("i", "j") + body(timed);
}

}  // namespace

std::string random_nest_code() {
  std::string code = "double a[2][12][12], b[12][12], c[12][12];\n" + (chance(80) ? nest(chance(60)) : sums());
  if (chance(50)) code += nest(false);
  if (chance(40)) code += sums();
  return code;
}

std::vector<std::string> random_steps() {
  std::vector<std::string> steps;
  for (int n = any(1, 4); n > 0; --n) {
    const std::string size = std::to_string(any(1, 5));
    steps.push_back(one_of<std::string>({"tile(j:" + size + ", i:3)",
                                         "tile(i:" + size + ")",
                                         "tile(t:2, j:" + size + ", i:2)",
                                         "interchange(j, i)",
                                         "order(i, t, j)",
                                         "order(jt, j, it, i)",
                                         "skew(j: t, i: t)",
                                         "skew(i: " + size + "*j)",
                                         "skew(i: -1*j)",
                                         "fuse(S1, S2)",
                                         "fuse(S1, S2, shift: 1)",
                                         "fuse(S1, S3, shift: 2 1)",
                                         "fission(S2)",
                                         "fission(S2, of: j)",
                                         "unroll_jam(j:" + size + ")",
                                         "unroll_jam(k:2, j:" + size + ")",
                                         "tile(k:" + size + ")",
                                         "unroll_jam(j:2, i:" + size + ")",
                                         "unroll_jam(i:" + size + ")",
                                         "parallel(j)",
                                         "tile(j:4 as jc)"}));
  }
  return steps;
}

}  // namespace mansard::property
