// The parts of a machine file of kind gpu; only for load.cpp. Mistakes go to the readers, and reading goes on.
#pragma once

#include "machine/read.hpp"

namespace mansard {

/// Keys of a file of this kind that make no sense in one of the other.
const std::vector<std::string>& keys_of_cpus();
const std::vector<std::string>& keys_of_gpus();

/// Everything between `clock` and `launch`; `root` reads the whole file.
Gpu read_gpu(Reader& root, Diagnostics& wrong);

Multiprocessor read_multiprocessor(const YamlNode& node, Diagnostics& wrong);
std::vector<GpuCache> read_gpu_caches(const YamlNode& list, Diagnostics& wrong);
/// Bounds that only all parts together have: sizes within each other, and memory that a simulation can afford.
void check_gpu(const Gpu& gpu, const Reader& root, Diagnostics& wrong);

/// A whole number from 1 to `Most`.
template <std::uint32_t Most>
Parsed<std::uint32_t> parse_up_to(std::string_view text) {
  const auto parsed = parse_integer(text);
  if (const auto* wrong = std::get_if<std::string>(&parsed)) return *wrong;
  const std::int64_t value = std::get<std::int64_t>(parsed);
  if (value < 1 || value > Most) return "expected a whole number from 1 to " + std::to_string(Most);
  return static_cast<std::uint32_t>(value);
}

/// Bytes, a power of two from 4 B to 256 B: lines, sectors, banks, transfers.
Parsed<std::uint32_t> parse_line(std::string_view text);
/// Bandwidths by mix: `{read: 866 GB/s, scale: 804 GB/s, init: 895 GB/s}`.
std::map<std::string, BytesPerSecond> read_mixes(const YamlNode* node, std::string path, Diagnostics& wrong);

}  // namespace mansard
