// mansard roofline --flops 1e9 --bytes 100e6 -m MACHINE: the quick estimate from two numbers, or from intensities.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <sstream>

#include "app/data.hpp"
#include "app/loading.hpp"
#include "app/output.hpp"
#include "app/run_options.hpp"
#include "app/version.hpp"
#include "report/format.hpp"

namespace mansard::commands {

extern const Command roofline;

namespace {

/// A number that must be given and must not be negative.
double amount(const Arguments& arguments, const std::string& name) {
  const auto value = arguments.parsed<double>(name, parse_number);
  if (!value) throw InputError({"--" + name}, "is missing");
  if (*value < 0) throw InputError({"--" + name}, "must not be negative");
  return *value;
}

/// "L1=0.87,L2=2.25,HBM=2.58" to names and flops per byte.
std::vector<std::pair<std::string, Intensity>> intensities(const std::string& text) {
  std::vector<std::pair<std::string, Intensity>> result;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    const auto parsed = equals == std::string::npos ? parse_number("") : parse_number(part.substr(equals + 1));
    const double* number = std::get_if<double>(&parsed);
    if (name.empty() || number == nullptr || *number <= 0)
      throw InputError({"--intensity"},
                       fmt::format("'{}': expected LEVEL=flops per byte, above 0, as in HBM=2.58", part));
    if (std::ranges::find(result, name, &std::pair<std::string, Intensity>::first) != result.end())
      throw InputError({"--intensity"}, fmt::format("'{}' is given twice", name));
    result.emplace_back(name, Intensity(*number));
  }
  if (result.empty()) throw InputError({"--intensity"}, "names no level, as in L1=0.87,L2=2.25,HBM=2.58");
  return result;
}

std::vector<std::string> quick_formats() {
  std::vector<std::string> names;
  for (const Format* format : all_formats()) {
    if (format->render_quick != nullptr) names.emplace_back(format->name);
  }
  return names;
}

int main(const std::vector<std::string>& words, const Surroundings& surroundings) {
  Arguments arguments("mansard roofline");
  arguments.value("flops", "floating-point operations: 1e9")
      .value("bytes", "bytes moved to and from memory: 100e6")
      .value("intensity", "instead of bytes, flops per byte of the levels of a GPU: L1=0.87,L2=2.25,HBM=2.58")
      .value("machine,m", "the machine: a file, or the name of a shipped one")
      .list("set", "override a value of the machine file: memory.bandwidth.load.core=400GB/s")
      .value("cores", "cores in use, default 1; a GPU is used as a whole")
      .value("type", "of the flops: fp64 (default), fp32 or fp16")
      .value("launch", "time to start the kernel, added: '0.02 ms'")
      .value("format", "table (default), json or csv")
      .value("output,o", "write to this file");
  arguments.parse(words);
  if (arguments.has("help")) {
    surroundings.out << "usage: mansard " << roofline.usage << '\n' << roofline.summary << '\n' << arguments.help();
    return 0;
  }
  if (!arguments.has("machine"))
    throw InputError({"--machine"}, "is missing; 'mansard machines' lists the shipped ones");
  const Format* format = find_format(arguments.choice("format", quick_formats(), "table"));
  const Machine machine =
      read_machine(find_data(DataKind::machine, *arguments.text("machine"), surroundings.data), arguments.texts("set"));
  const std::int64_t most_cores = std::int64_t{machine.cores} * machine.sockets;
  const auto cores = static_cast<std::uint32_t>(arguments.count("cores", 1, most_cores).value_or(1));
  const auto launch = arguments.parsed<Seconds>("launch", parse_time);
  const std::string type = arguments.choice("type", {"fp64", "fp32", "fp16"}, "fp64");
  QuickRoofline estimate;
  if (const auto text = arguments.text("intensity")) {
    if (arguments.has("bytes")) throw InputError({"--intensity"}, "takes the place of --bytes");
    std::optional<Flops> flops;
    if (arguments.has("flops")) flops = Flops(amount(arguments, "flops"));
    estimate = level_roofline(machine, intensities(*text), flops, launch, type);
  } else {
    estimate = quick_roofline(machine, Flops(amount(arguments, "flops")), Bytes(amount(arguments, "bytes")), cores,
                              launch, type);
  }
  write_result(format->render_quick({version, machine.id, machine.name, estimate}), arguments.text("output"),
               surroundings.out);
  return 0;
}

}  // namespace

const Command roofline{"roofline",
                       "roofline --flops 1e9 --bytes 100e6 -m MACHINE [--cores n] [--type fp32] [--launch '0.02 ms']",
                       "the quick estimate from two numbers: which roof binds, and how fast at best", main};

}  // namespace mansard::commands
