#include "stream/gpu/coalesce.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "units/mix.hpp"

namespace mansard {
namespace {

/// Distinct numbers n in the list, most of them that share n mod `banks`.
std::uint32_t most_in_a_bank(std::vector<Int>& words, std::uint32_t banks) {
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::vector<std::uint32_t> count(banks);
  for (const Int word : words) ++count[static_cast<std::size_t>(word) % banks];
  return *std::ranges::max_element(count);
}

}  // namespace

Coalesced coalesce(std::span<const Int> offsets, std::uint32_t bytes, const LanePath& path) {
  Coalesced result;
  result.lanes = static_cast<std::uint32_t>(offsets.size());
  const auto line_bytes = static_cast<Int>(path.line);
  const auto touch = [&](Int from, Int to) {  // bytes [from, to) of one line
    const Int line = floor_div(from, line_bytes);
    auto at = std::ranges::find(result.lines, line, &TouchedLine::line);
    if (at == result.lines.end()) at = result.lines.insert(at, {line, 0, 0});
    const Int first = from - line * line_bytes;
    const Int last = to - line * line_bytes;
    for (Int s = first / path.sector; s <= (last - 1) / path.sector; ++s) at->sectors |= 1U << s;
    for (Int w = (first + 3) / 4; w < last / 4; ++w) at->words |= std::uint64_t{1} << w;
  };
  std::vector<Int> words;
  std::vector<Int> starts(offsets.begin(), offsets.end());
  std::ranges::sort(starts);
  Int reached = starts.empty() ? 0 : starts.front();
  for (const Int start : starts) {
    const Int end = start + static_cast<Int>(bytes);
    if (end > reached) result.distinct_bytes += static_cast<std::uint32_t>(end - std::max(start, reached));
    reached = std::max(reached, end);
  }
  for (const Int offset : offsets) {
    const Int end = offset + bytes;
    const Int next = (floor_div(offset, line_bytes) + 1) * line_bytes;
    touch(offset, std::min(end, next));
    if (end > next) touch(next, end);
    for (Int w = floor_div(offset, path.bank); w * path.bank < end; ++w) words.push_back(w);
  }
  std::ranges::sort(result.lines, {}, &TouchedLine::line);
  for (const TouchedLine& line : result.lines)
    result.sectors += static_cast<std::uint32_t>(std::popcount(line.sectors));
  // Words are counted from a line boundary, so that they keep their banks.
  for (Int& word : words) word += static_cast<Int>(path.line) * (Int{1} << 40U);
  // A warp of 64 takes two turns of 32 lanes.
  const double moved = std::max(32.0, static_cast<double>(offsets.size())) * bytes /
                       (4.0 * (bytes < 8 ? path.lanes : path.double_lanes));
  const double banks = offsets.empty() ? 0 : most_in_a_bank(words, path.banks);
  const double tags = std::ceil((static_cast<double>(result.lines.size()) + 2) / path.tag_lines);
  result.cycles = offsets.empty() ? 0 : std::max({moved, banks, tags});
  return result;
}

Coalesced shared_access(std::span<const Int> offsets, std::uint32_t bytes, const LanePath& path) {
  Coalesced result;
  result.lanes = static_cast<std::uint32_t>(offsets.size());
  if (offsets.empty()) return result;
  std::vector<Int> words;
  for (const Int offset : offsets) {
    for (Int w = floor_div(offset, path.shared_bank); w * path.shared_bank < offset + bytes; ++w) words.push_back(w);
  }
  const Int least = std::ranges::min(words);
  const Int shift = floor_div(least, path.shared_banks) * path.shared_banks;
  for (Int& word : words) word -= shift;
  result.conflicts = most_in_a_bank(words, path.shared_banks);
  result.least = (static_cast<std::uint32_t>(words.size()) + path.shared_banks - 1) / path.shared_banks;
  result.cycles = result.conflicts;
  return result;
}

const Coalesced& CoalesceMemo::coalesced(std::span<const Int> offsets, std::uint32_t bytes, bool shared) {
  std::uint64_t hash = bytes + (shared ? 1000U : 0U);
  for (const Int offset : offsets) hash = hash * 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(offset);
  Entry& entry = entries_[mix(hash) % count];
  if (entry.bytes != bytes || entry.shared != shared || !std::ranges::equal(entry.offsets, offsets)) {
    entry.offsets.assign(offsets.begin(), offsets.end());
    entry.bytes = bytes;
    entry.shared = shared;
    entry.what = coalesce(offsets, bytes, path_, shared);
  }
  return entry.what;
}

}  // namespace mansard
