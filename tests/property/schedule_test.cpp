// Random legal schedules of random small nests compute the same numbers and make the same accesses, in another order.
#include <rapidcheck.h>

#include "property/holds.hpp"
#include "property/random_schedule.hpp"
#include "support/catch.hpp"
#include "support/elements.hpp"
#include "support/interpret.hpp"
#include "support/kernel.hpp"
#include "workload/print.hpp"

using namespace mansard;
using namespace mansard::property;

namespace {

/// Every element access of the text, sorted.
std::vector<std::tuple<std::uint64_t, int, int>> accesses(const Kernel& kernel) {
  LowerOptions options;
  options.registers = false;
  const Program program = lower(kernel, options);
  std::vector<std::tuple<std::uint64_t, int, int>> all;
  for (const Element& e : elements_of(program)) all.emplace_back(e.address, e.bytes, static_cast<int>(e.kind));
  std::ranges::sort(all);
  return all;
}

}  // namespace

TEST_CASE("random legal schedules keep results and accesses") {
  CHECK(holds(
      "scheduled nests compute what the plain nest computes",
      [] {
        const std::string code = random_nest_code();
        const Kernel plain = kernel_of(code);
        std::string schedule;
        Kernel scheduled = plain;
        for (const std::string& step : random_steps()) {
          try {
            scheduled = kernel_of(code, {}, "", schedule + step);
            schedule += step + "; ";
          } catch (const InputError& refused) {
            RC_TAG(std::string(step.substr(0, step.find('(')) + " refused"));
          }
        }
        scheduled = kernel_of(code, {}, "", schedule);
        RC_LOG() << code << '\n' << schedule << '\n' << to_c(scheduled);
        RC_ASSERT(Interpreter(scheduled).run() == Interpreter(plain).run());
        RC_ASSERT(accesses(scheduled) == accesses(plain));
      },
      3));
}
