// Any bytes are a loop nest or an InputError: no crash, no hang, no memory without bound. Run it as
// `fuzz_parser new-inputs workloads`: starting from the shipped files finds the interesting paths sooner.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "workload/elaborate/elaborate.hpp"
#include "workload/language/parser.hpp"
#include "workload/print.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mansard;
  const SourceText text{"fuzz.c", std::string(reinterpret_cast<const char*>(data), size), 1, 0};
  const IndexData values = std::make_shared<const std::vector<std::int32_t>>(std::vector<std::int32_t>{0, 2, 3, 1});
  const Bindings bindings{{{"N", 4}, {"M", 12}}, {{"row", values}, {"col", values}}, std::nullopt, {}};
  try {
    const Kernel kernel = elaborate(parse_code(text), bindings);
    (void)to_c(kernel);
  } catch (const InputError&) {
    return 0;
  }
  return 0;
}
