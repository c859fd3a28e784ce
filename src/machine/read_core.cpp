#include <bit>

#include "machine/read.hpp"

namespace mansard {
namespace {

Throughput read_throughput(const YamlNode& node, std::string path, Diagnostics& wrong) {
  Reader reader(node, std::move(path), wrong);
  Throughput rates;
  rates.loads = maybe(reader, "loads", parse_rate);
  rates.stores = maybe(reader, "stores", parse_rate);
  rates.fma = maybe(reader, "fma", parse_rate);
  rates.add = maybe(reader, "add", parse_rate);
  rates.mul = maybe(reader, "mul", parse_rate);
  rates.div = maybe(reader, "div", parse_rate);
  rates.sqrt = maybe(reader, "sqrt", parse_rate);
  reader.finish();
  return rates;
}

std::map<std::string, double> read_latency(const YamlNode& node, Diagnostics& wrong) {
  Reader reader(node, "core.latency", wrong);
  std::map<std::string, double> cycles;
  for (const char* operation : {"add", "mul", "fma", "div", "sqrt", "load", "simd_load"})
    if (const auto value = maybe(reader, operation, parse_positive)) cycles[operation] = *value;
  reader.finish();
  return cycles;
}

}  // namespace

Core read_core(const YamlNode& node, Diagnostics& wrong) {
  constexpr std::uint64_t narrowest = 8, widest = 4096;
  Reader reader(node, "core", wrong);
  Core core;
  const auto simd = reader.need<std::uint64_t>("simd", parse_size, narrowest);
  if (!std::has_single_bit(simd) || simd < narrowest || simd > widest)
    reader.mistake(node.find("simd")->at, "simd", "expected a power of two from 8 B to 4096 B");
  core.simd = static_cast<std::uint32_t>(simd);
  core.registers = maybe(reader, "registers", parse_count);
  if (const YamlNode* rates = reader.optional("per_cycle"))
    core.per_cycle = read_throughput(*rates, "core.per_cycle", wrong);
  if (const YamlNode* rates = reader.optional("scalar")) core.scalar = read_throughput(*rates, "core.scalar", wrong);
  core.separate_add = reader.flag("separate_add", false);
  core.split_loads_wait = reader.choice("split_loads", {"pass", "wait"}, 0) == 1;
  if (const YamlNode* cycles = reader.optional("latency")) core.latency = read_latency(*cycles, wrong);
  if (reader.optional("llvm_mca")) core.llvm_mca = reader.text("llvm_mca", {});
  reader.finish();
  return core;
}

}  // namespace mansard
