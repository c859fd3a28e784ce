#include "machine/read_gpu.hpp"

#include <array>
#include <bit>

namespace mansard {
namespace {

/// alpha of the time model: 0 is perfect overlap, 1 none.
Parsed<double> parse_overlap(std::string_view text) {
  const auto parsed = parse_number(text);
  const double* value = std::get_if<double>(&parsed);
  if (!value || *value < 0 || *value > 1) return "expected a number from 0 to 1";
  return *value;
}

Parsed<Seconds> parse_latency(std::string_view text) {
  const auto parsed = parse_time(text);
  const auto* value = std::get_if<Seconds>(&parsed);
  if (value && !(value->value > 0)) return "must be above zero: expected a time such as 88 ns (s, ms, us, ns)";
  return parsed;
}

GpuMemory read_gpu_memory(const YamlNode& node, Diagnostics& wrong) {
  Reader reader(node, "memory", wrong);
  GpuMemory memory;
  memory.name = reader.get<std::string>("name", parse_name, memory.name);
  memory.spec = maybe(reader, "spec", parse_bytes_per_second);
  memory.measured = read_mixes(reader.optional("measured"), "memory.measured", wrong);
  memory.latency = maybe(reader, "latency", parse_latency);
  memory.fetch = reader.get("fetch", parse_line, memory.fetch);
  memory.store = reader.get("store", parse_line, memory.store);
  reader.finish();
  return memory;
}

std::map<std::string, FlopsPerSecond> read_types(const YamlNode* node, std::string path,
                                                 std::initializer_list<const char*> types, Diagnostics& wrong) {
  std::map<std::string, FlopsPerSecond> rates;
  if (!node) return rates;
  Reader reader(*node, std::move(path), wrong);
  for (const char* type : types)
    if (const auto rate = maybe(reader, type, parse_flops_per_second)) rates[type] = *rate;
  reader.finish();
  return rates;
}

GpuRates read_rates(const YamlNode& node, Diagnostics& wrong) {
  Reader reader(node, "rates", wrong);
  GpuRates rates;
  rates.vector = read_types(reader.optional("vector"), "rates.vector", {"fp64", "fp32", "fp16"}, wrong);
  rates.tensor = read_types(reader.optional("tensor"), "rates.tensor", {"fp64", "fp32", "tf32", "fp16", "bf16"}, wrong);
  reader.finish();
  return rates;
}

GpuPages read_gpu_pages(const YamlNode& node, Diagnostics& wrong) {
  Reader reader(node, "pages", wrong);
  GpuPages pages;
  pages.page = reader.get("size", parse_page, pages.page);
  if (pages.page == 0) reader.mistake(node.find("size")->at, "size", "expected the size of a page such as 2 MiB");
  if (const auto count = maybe(reader, "in_reach", parse_count)) pages.in_reach = *count;
  reader.finish();
  return pages;
}

}  // namespace

const std::vector<std::string>& keys_of_cpus() {
  static const std::vector<std::string> keys{"sockets", "cores", "domains", "core", "tlb", "energy"};
  return keys;
}

const std::vector<std::string>& keys_of_gpus() {
  static const std::vector<std::string> keys{"sm", "dies", "rates"};
  return keys;
}

Parsed<std::uint32_t> parse_line(std::string_view text) {
  constexpr std::uint64_t least = 4, most = 256;
  const auto parsed = parse_size(text);
  const auto* size = std::get_if<std::uint64_t>(&parsed);
  if (!size || !std::has_single_bit(*size) || *size < least || *size > most)
    return "expected a power of two from 4 B to 256 B";
  return static_cast<std::uint32_t>(*size);
}

std::map<std::string, BytesPerSecond> read_mixes(const YamlNode* node, std::string path, Diagnostics& wrong) {
  std::map<std::string, BytesPerSecond> figures;
  if (!node) return figures;
  Reader reader(*node, std::move(path), wrong);
  for (const char* mix : {"read", "scale", "init"})
    if (const auto figure = maybe(reader, mix, parse_bytes_per_second)) figures[mix] = *figure;
  reader.finish();
  return figures;
}

Gpu read_gpu(Reader& root, Diagnostics& wrong) {
  constexpr std::uint32_t most_dies = 64;
  Gpu gpu;
  if (const YamlNode* sm = root.required("sm")) gpu.sm = read_multiprocessor(*sm, wrong);
  gpu.dies = root.get("dies", parse_up_to<most_dies>, 1U);
  if (const YamlNode* caches = root.required("caches")) gpu.caches = read_gpu_caches(*caches, wrong);
  if (const YamlNode* memory = root.required("memory")) gpu.memory = read_gpu_memory(*memory, wrong);
  if (const YamlNode* rates = root.required("rates")) gpu.rates = read_rates(*rates, wrong);
  if (const YamlNode* pages = root.optional("pages")) gpu.pages = read_gpu_pages(*pages, wrong);
  gpu.overlap = root.get("overlap", parse_overlap, gpu.overlap);
  check_gpu(gpu, root, wrong);
  return gpu;
}

}  // namespace mansard
