// Linearised subscripts: taken apart where that is the same, left alone where it is not.
#include "schedule/affine/delinearize.hpp"

#include "support/catch.hpp"
#include "support/kernel.hpp"
#include "workload/print.hpp"

using namespace mansard;

namespace {

/// The subscripts of the first statement's target, as text.
std::vector<std::string> apart(const std::string& code) {
  const Kernel kernel = kernel_of(code);
  const Delinearization linear(kernel);
  std::vector<std::string> result;
  visit_nodes(kernel.nests, [&](const Node& node) {
    const auto* s = std::get_if<Statement>(&node.is);
    if (s == nullptr || !result.empty()) return;
    for (const Quasi& q : linear.subscripts(std::get<Access>(s->target))) result.push_back(to_string(q, kernel));
  });
  return result;
}

using Texts = std::vector<std::string>;
const std::string rows = "double a[60]; for (int j = 1; j < 5; ++j) for (int i = 1; i < 9; ++i) ";

}  // namespace

TEST_CASE("rows and columns are found in a linear subscript") {
  CHECK(apart(rows + "a[j*10+i] = 1;") == Texts{"j", "i"});
  CHECK(apart(rows + "a[(j-1)*10+i+1] = 1;") == Texts{"j-1", "i+1"});
  CHECK(apart(rows + "a[j*10-10+i-1] = a[j*10+i];") == Texts{"j-1", "i-1"});
  CHECK(apart("double a[240]; for (int t = 0; t < 4; ++t) for (int k = 0; k < 3; ++k) for (int j = 0; j < 4; ++j)"
              " for (int i = 0; i < 9; ++i) a[(t%2)*120 + (k*4+j)*10 + i] = 1;") == Texts{"t%2", "k", "j", "i"});
}

TEST_CASE("what runs over the end of its row is not taken apart, nor are strides that do not divide") {
  CHECK(apart("double a[90]; for (int j = 1; j < 5; ++j) for (int i = 1; i < 12; ++i) a[j*10+i] = 1;").size() == 1);
  CHECK(apart(rows + "a[j*10+i] = a[j*10+i+2];").size() == 1);  // one access of the array is enough
  CHECK(apart("double a[90]; for (int j = 1; j < 5; ++j) for (int i = 1; i < 3; ++i) a[j*10+i*3] = 1;").size() == 1);
}

TEST_CASE("dependences are those of the linear subscript") {
  const auto refused = [](const std::string& body, const std::string& schedule) {
    try {
      kernel_of(rows + body, {}, "", schedule);
    } catch (const InputError&) {
      return true;
    }
    return false;
  };
  CHECK(refused("a[j*10+i] = a[(j-1)*10+i+1];", "interchange(j, i)"));
  CHECK_FALSE(refused("a[j*10+i] = a[(j-1)*10+i-1];", "interchange(j, i)"));
  CHECK_FALSE(refused("a[j*10+i] = a[(j-1)*10+i];", "parallel(i)"));
  CHECK(refused("a[j*10+i] = a[(j-1)*10+i];", "parallel(j)"));
}
