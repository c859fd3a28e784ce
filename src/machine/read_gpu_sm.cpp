// `sm: {count: 80, warp: 32, …, shared: {…}}`: one multiprocessor, and how many there are.
#include <algorithm>
#include <bit>

#include "machine/read_gpu.hpp"

namespace mansard {
namespace {

constexpr std::uint64_t largest_shared = 16ULL << 20U;  // bytes: far beyond what fits beside an SM

/// A size from `least` to `most`, or `fallback` where it is not given.
std::uint64_t size_within(Reader& reader, const YamlNode& node, std::string_view key, std::uint64_t fallback,
                          std::uint64_t least, std::uint64_t most) {
  const auto size = reader.get<std::uint64_t>(key, parse_size, fallback);
  if (size >= least && size <= most) return size;
  reader.mistake(node.find(key)->at, key,
                 "expected " + std::to_string(least) + " B to " + std::to_string(most) + " B, found " +
                     std::to_string(size) + " B");
  return std::clamp(size, least, most);
}

/// Sizes between which the first-level cache can be divided.
std::vector<std::uint64_t> read_steps(Reader& reader, std::uint64_t size) {
  std::vector<std::uint64_t> steps;
  const YamlNode* list = reader.optional("steps");
  if (!list) return steps;
  for (const YamlNode& item : list->items) {
    const auto step = parse_size(item.text);
    if (step.index() == 1) {
      reader.mistake(item.at, "steps", "'" + item.text + "': " + std::get<1>(step));
      return {};
    }
    steps.push_back(std::get<0>(step));
  }
  const bool ascending = std::adjacent_find(steps.begin(), steps.end(), std::greater_equal<>()) == steps.end();
  if (steps.empty() || !ascending || steps.back() != size)
    reader.mistake(list->at, "steps", "expected an ascending list of sizes up to the size of the shared memory");
  return steps;
}

SharedMemory read_shared(const YamlNode& node, Diagnostics& wrong) {
  constexpr std::uint32_t most_banks = 256;
  Reader reader(node, "sm.shared", wrong);
  SharedMemory shared;
  if (reader.required("size")) shared.size = size_within(reader, node, "size", 0, 0, largest_shared);
  shared.per_block = size_within(reader, node, "per_block", shared.size, 0, shared.size);
  shared.reserved = size_within(reader, node, "reserved", 0, 0, shared.size);
  shared.granule = size_within(reader, node, "granule", shared.granule, 1, largest_shared);
  shared.carved_from_l1 = reader.flag("from_l1", false);
  shared.steps = read_steps(reader, shared.size);
  if (!shared.steps.empty() && !shared.carved_from_l1)
    reader.mistake(node.find("steps")->at, "steps", "makes sense only with from_l1: true");
  shared.banks = reader.get("banks", parse_up_to<most_banks>, shared.banks);
  if (!std::has_single_bit(shared.banks)) reader.mistake(reader.at("banks"), "banks", "expected a power of two");
  shared.bank = reader.get("bank", parse_line, shared.bank);
  shared.bandwidth = maybe(reader, "bandwidth", parse_bytes_per_cycle);
  reader.finish();
  return shared;
}

void check_warps(Reader& reader, const YamlNode& node, const Multiprocessor& sm) {
  const auto mistake = [&](const char* key, const std::string& message) {
    const YamlNode* at = node.find(key);
    reader.mistake(at ? at->at : node.at, key, message);
  };
  if (sm.warp != 32 && sm.warp != 64) return mistake("warp", "expected 32 or 64, found " + std::to_string(sm.warp));
  const auto of_warps = [&](const char* key, std::uint32_t threads) {
    if (threads % sm.warp != 0)
      mistake(key, std::to_string(threads) + " threads are not a multiple of the warp of " + std::to_string(sm.warp));
  };
  of_warps("max_threads", sm.max_threads);
  of_warps("max_block_threads", sm.max_block_threads);
  if (sm.max_block_threads > sm.max_threads)
    mistake("max_block_threads", "more than the " + std::to_string(sm.max_threads) + " threads of an SM");
  if (sm.registers < sm.warp) mistake("registers", "not even one for each thread of a warp");
  if (sm.register_granule > sm.registers)
    mistake("register_granule", "more than the " + std::to_string(sm.registers) + " registers of an SM");
}

}  // namespace

Multiprocessor read_multiprocessor(const YamlNode& node, Diagnostics& wrong) {
  constexpr std::uint32_t most_sms = 4096, most_threads = 65536, most_blocks = 1024, most_registers = 1 << 24,
                          most_lanes = 1024, most_of_thread = 4096;
  Reader reader(node, "sm", wrong);
  Multiprocessor sm;
  sm.count = reader.need("count", parse_up_to<most_sms>, sm.count);
  sm.warp = reader.need("warp", parse_up_to<most_threads>, sm.warp);
  sm.max_threads = reader.need("max_threads", parse_up_to<most_threads>, sm.max_threads);
  sm.max_blocks = reader.need("max_blocks", parse_up_to<most_blocks>, sm.max_blocks);
  sm.max_block_threads = reader.get("max_block_threads", parse_up_to<most_threads>, sm.max_block_threads);
  sm.registers = reader.need("registers", parse_up_to<most_registers>, sm.registers);
  sm.register_granule = reader.get("register_granule", parse_up_to<most_registers>, sm.register_granule);
  sm.max_registers = reader.get("max_registers", parse_up_to<most_of_thread>, sm.max_registers);
  sm.issue = maybe(reader, "issue", parse_rate);
  sm.load_store_lanes = reader.need("load_store_lanes", parse_up_to<most_lanes>, sm.load_store_lanes);
  sm.double_lanes = maybe(reader, "double_lanes", parse_up_to<most_lanes>);
  sm.l1_banks = reader.get("l1_banks", parse_up_to<most_lanes>, sm.l1_banks);
  if (!std::has_single_bit(sm.l1_banks)) reader.mistake(reader.at("l1_banks"), "l1_banks", "expected a power of two");
  sm.l1_bank = reader.get("l1_bank", parse_line, sm.l1_bank);
  sm.tag_lines = reader.get("tag_lines", parse_rate, sm.tag_lines);
  if (const YamlNode* shared = reader.required("shared")) sm.shared = read_shared(*shared, wrong);
  if (node.type == YamlNode::Type::map) check_warps(reader, node, sm);
  reader.finish();
  return sm;
}

}  // namespace mansard
