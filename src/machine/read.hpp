// The parts of a machine file; only for load.cpp. Mistakes go to `wrong`, and reading goes on.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "input/yaml.hpp"
#include "machine/load.hpp"
#include "machine/machine.hpp"

namespace mansard {

Core read_core(const YamlNode& node, Diagnostics& wrong);
/// `tlb: [{name: DTLB, entries: 64, ways: 4}, …]`; `page` is the size of pages where a level does not say.
std::vector<TlbLevel> read_tlb(const YamlNode& list, std::uint64_t page, const MachineVocabulary& vocabulary,
                               Diagnostics& wrong);
Memory read_memory(const YamlNode& node, Diagnostics& wrong);
std::vector<CacheLevel> read_caches(const YamlNode& list, std::uint32_t cores, const MachineVocabulary& vocabulary,
                                    Diagnostics& wrong);

Parsed<std::uint32_t> parse_count(std::string_view text);  ///< 1 … 2^20: cores, sockets, ways
Parsed<double> parse_positive(std::string_view text);      ///< a finite number above zero
Parsed<double> parse_rate(std::string_view text);          ///< also a fraction: 1/42 is one in 42 cycles
/// A power of two from 4 KiB to 1 GiB, or 0 for `contiguous`.
Parsed<std::uint64_t> parse_page(std::string_view text);
/// A letter, then letters, digits and underscores: names stand in paths ("caches.L2.size") and boundaries ("L1-L2").
Parsed<std::string> parse_name(std::string_view text);

/// The value of `key` if it is there and right.
template <class T>
std::optional<T> maybe(Reader& reader, std::string_view key, Parsed<T> (*parser)(std::string_view)) {
  const bool there = reader.optional(key) != nullptr;
  const T value = reader.get(key, parser, T{});
  return there ? std::optional<T>(value) : std::nullopt;
}

}  // namespace mansard
