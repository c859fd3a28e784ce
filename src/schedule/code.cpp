#include "schedule/code.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "workload/print.hpp"
#include "workload/print/printer.hpp"

namespace mansard {
namespace {

constexpr const char* helpers = R"(#include <math.h>
#include <stdio.h>
#include <string.h>

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
/* Rounds down, also where n is negative. */
#define floord(n, d) ((n) >= 0 ? (n) / (d) : -((-(n) + (d) - 1) / (d)))
)";

constexpr const char* streaming = R"(
/* A store past the caches. */
#if defined(__clang__)
#define STREAM(target, value) __builtin_nontemporal_store((value), &(target))
#elif defined(__x86_64__)
#include <emmintrin.h>
#define STREAM(target, value)                                   \
  do {                                                          \
    const __typeof__(target) v_ = (value);                      \
    long long bits_ = 0;                                        \
    memcpy(&bits_, &v_, sizeof v_);                             \
    if (sizeof v_ == 8) {                                       \
      _mm_stream_si64((long long*)(void*)&(target), bits_);     \
    } else if (sizeof v_ == 4) {                                \
      _mm_stream_si32((int*)(void*)&(target), (int)bits_);      \
    } else {                                                    \
      (target) = v_;                                            \
    }                                                           \
  } while (0)
#else
#define STREAM(target, value) ((target) = (value))
#endif
)";

class Program {
 public:
  explicit Program(const Kernel& kernel) : kernel_(kernel), print_(kernel, true) {}

  std::string declarations() const {
    std::string text;
    for (std::size_t a = 0; a < kernel_.arrays.size(); ++a) {
      const Array& array = kernel_.arrays[a];
      if (!array.is_private) text += declaration(static_cast<ArrayId>(a), array);
    }
    for (std::size_t s = 0; s < kernel_.scalars.size(); ++s) {
      const Scalar& scalar = kernel_.scalars[s];
      if (scalar.is_private) continue;
      text += fmt::format("static {} {} = {};\n", c_name(scalar.type), print_.scalar(static_cast<ScalarId>(s)),
                          scalar.initial.value_or(0.5));
    }
    return text;
  }

  std::string main() const {
    std::string fill;
    std::string sum;
    for (std::size_t a = 0; a < kernel_.arrays.size(); ++a) {
      const Array& array = kernel_.arrays[a];
      if (array.is_private || array.is_buffer || array.data != nullptr) continue;
      const char* value =
          is_float(array.type) ? "{} = ({})(1.0 + (double)(n++ * 7 % 13) / 16.0);" : "{} = ({})(1 + n++ * 7 % 13);";
      fill += each_element(static_cast<ArrayId>(a), "  n = 0;\n", value);
      sum += each_element(static_cast<ArrayId>(a), "", "add(&{}, sizeof({}));");
    }
    return fmt::format(R"(
/* FNV-1a over the bytes of every element: equal sums mean equal bits. */
static unsigned long long sum = 14695981039346656037ull;
static void add(const void* element, size_t bytes) {{
  for (size_t i = 0; i < bytes; ++i) sum = (sum ^ ((const unsigned char*)element)[i]) * 1099511628211ull;
}}

int main(void) {{
  long n = 0;
  (void)n;
{}  kernel();
{}  printf("%016llx\n", sum);
  return 0;
}}
)",
                       fill, sum);
  }

 private:
  std::string declaration(ArrayId id, const Array& array) const {
    const bool constant = array.data != nullptr;
    std::string text = fmt::format("static {}{} {}", constant ? "const " : "", c_name(array.type), print_.array(id));
    for (std::size_t place = 0; place < array.extents.size(); ++place) {
      const std::size_t d = array.order.empty() ? place : array.order[place];
      text += fmt::format("[{}]", array.extents[d] + (array.padding.empty() ? 0 : array.padding[d]));
    }
    if (!constant) return text + ";\n";
    constexpr std::size_t most_values = 1U << 20U;
    const std::vector<std::int32_t>& data = *array.data;
    const bool plain = std::ranges::all_of(array.padding, [](Int p) { return p == 0; });
    if (data.size() > most_values || !plain || array.extents.size() != 1) {
      throw InputError(array.at,
                       fmt::format("the contents of '{}' cannot be printed: at most {} values of one dimension, "
                                   "as declared, can",
                                   array.name, most_values));
    }
    constexpr std::size_t per_line = 20;
    text += " = {";
    for (std::size_t i = 0; i < data.size(); ++i)
      text += fmt::format("{}{}", i == 0 ? "" : i % per_line == 0 ? ",\n  " : ", ", data[i]);
    return text + "};\n";
  }

  /// Loops over the elements in the order of the declaration; {} in `action` is the element, or its type.
  std::string each_element(ArrayId id, const std::string& before, const std::string& action) const {
    const Array& array = kernel_.arrays[id];
    std::string text = before;
    std::string element = print_.array(id);
    for (std::size_t d = 0; d < array.extents.size(); ++d)
      text += fmt::format("  for (long i{0} = 0; i{0} < {1}; ++i{0})\n", d, array.extents[d]);
    for (std::size_t place = 0; place < array.extents.size(); ++place)
      element += fmt::format("[i{}]", array.order.empty() ? place : array.order[place]);
    const bool fills = action.front() == '{';
    return text + "    " + fmt::format(fmt::runtime(action), element, fills ? c_name(array.type) : element.c_str()) +
           "\n";
  }

  const Kernel& kernel_;
  ExpressionPrinter print_;
};

}  // namespace

std::string to_program(const Kernel& kernel, bool with_main) {
  const Program program(kernel);
  std::string text = fmt::format("/* {}", kernel.name);
  for (const auto& [name, value] : kernel.parameters) text += fmt::format(" {}={}", name, value);
  for (const std::string& step : kernel.schedule) text += "; " + step;
  text += " */\n" + std::string(helpers);
  if (std::ranges::any_of(kernel.arrays, &Array::nontemporal)) text += streaming;
  text += "\n" + program.declarations() + "\nvoid kernel(void) {\n" + nests_as_full_c(kernel) + "}\n";
  return with_main ? text + program.main() : text;
}

}  // namespace mansard
