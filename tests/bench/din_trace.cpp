// Prints the accesses of a workload as a din trace, for other simulators: one access a line, "0 1f40" a read and
// "1 1f40" a write of the element at that address (hexadecimal), in the order in which the engine is given them.
//   din_trace WORKLOAD -m MACHINE [options of run]
#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "app/data.hpp"
#include "app/run_options.hpp"
#include "cache/policy.hpp"
#include "input/diagnostic.hpp"
#include "machine/load.hpp"
#include "stream/lower.hpp"
#include "stream/walker.hpp"

using namespace mansard;

namespace {

class Trace {
 public:
  void write(std::uint64_t address, Kind kind) {
    if (used_ + longest > text_.size()) flush();
    text_[used_++] = kind == Kind::load ? '0' : '1';
    text_[used_++] = ' ';
    char* const at = &text_[used_];
    used_ += static_cast<std::size_t>(std::to_chars(at, at + longest - 3, address, 16).ptr - at);
    text_[used_++] = '\n';
  }
  void flush() {
    if (std::fwrite(text_.data(), 1, used_, stdout) != used_) throw std::runtime_error("cannot write the trace");
    used_ = 0;
  }

 private:
  static constexpr std::size_t longest = 24;
  std::array<char, 1U << 16U> text_{};
  std::size_t used_ = 0;
};

void trace(const Program& program) {
  Trace out;
  Walker walker(program);
  const Sink sink = [&](const Batch& batch) {
    visit_elements(batch, [&](const Element& e) { out.write(e.address, e.kind); });
  };
  for (const Nest& nest : program.nests) walker.walk(nest, sink);
  out.flush();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::error_code ignored;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    const Surroundings surroundings{std::cout, std::cerr, false, data_folders(program, "")};
    Arguments arguments("din_trace");
    arguments.operands("WORKLOAD", 1, 1);
    add_run_options(arguments);
    arguments.parse({argv + 1, argv + argc});
    const RunRequest request = read_run_options(arguments, arguments.operands().front(), surroundings);
    const Machine machine = load_machine(request.machine, request.overrides, {policy_names(), check_replacement});
    const Kernel kernel = scheduled_kernel(load_workload(request.workload), request.definitions, request.schedule);
    trace(lower(kernel, {request.registers, request.worst_branches, machine.layout_gap, request.seed}));
    return 0;
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 2;
  }
}
