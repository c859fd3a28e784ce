// Random legal schedules of random small nests compute the same numbers and make the same accesses, in another order.
#include <rapidcheck.h>

#include "property/holds.hpp"
#include "property/random_schedule.hpp"
#include "stream/walker.hpp"
#include "support/catch.hpp"
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
  Walker walker(program);
  const auto element = [&](std::uint64_t address, int bytes, Kind kind) {
    all.emplace_back(address, bytes, static_cast<int>(kind));
  };
  for (const Nest& nest : program.nests) {
    walker.walk(nest, [&](const Batch& batch) {
      if (const auto* run = std::get_if<Run>(&batch)) {
        for (std::uint64_t n = 0; n < run->count; ++n) {
          for (std::size_t r = 0; r < run->refs.size(); ++r)
            element(static_cast<std::uint64_t>(run->base[r] + static_cast<Int>(n) * run->stride[r]), run->refs[r].bytes,
                    run->refs[r].kind);
        }
      } else {
        for (const Element& e : std::get<1>(batch)) element(e.address, e.bytes, e.kind);
      }
    });
  }
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
