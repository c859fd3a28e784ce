#include "report/sharing.hpp"

#include <fmt/format.h>

#include "report/describe.hpp"
#include "report/text_table.hpp"
#include "units/print.hpp"

namespace mansard {

std::vector<ArraySharing> sharing_of(const Program& program, std::span<const SharingCount> sharing) {
  std::vector<ArraySharing> arrays;
  for (std::size_t a = 0; a < program.regions.size(); ++a) {
    if (sharing[a] != SharingCount{}) arrays.push_back({program.regions[a].name, sharing[a]});
  }
  return arrays;
}

std::vector<std::string> sharing_warnings(std::span<const ArraySharing> sharing) {
  std::vector<std::string> warnings;
  for (const ArraySharing& array : sharing) {
    const SharingCount& count = array.count;
    if (count.false_sharing > 0) {
      warnings.push_back(fmt::format(
          "false sharing: cores store to lines of '{}' of which other cores use other elements; {} stores took a line "
          "away from them. Padding ('pad({}: …)'), larger chunks or blocks of whole lines keep them apart",
          array.name, count.false_sharing, array.name));
    }
    if (count.true_sharing > 0) {
      warnings.push_back(fmt::format(
          "write sharing: cores store to elements of '{}' that other cores use; {} stores took a line away from them",
          array.name, count.true_sharing));
    }
  }
  return warnings;
}

std::string scaling_table(const Summary& summary) {
  if (summary.run.scaling.empty()) return {};
  std::vector<std::string> header{"cores", "updates/s", "speed-up", "bound by"};
  for (const LevelSummary& level : summary.total.levels) {
    if (&level != &summary.total.levels.front()) header.push_back(level.roof.boundary + " B/update");
  }
  TextTable table(std::move(header), 0);
  const std::optional<double>& one = summary.run.scaling.front().updates_per_second;
  for (const MulticorePoint& point : summary.run.scaling) {
    std::vector<std::string> row{std::to_string(point.cores), "unknown", "-", "unknown"};
    if (point.updates_per_second) row[1] = print_rate(*point.updates_per_second);
    if (point.updates_per_second && one && summary.run.scaling.front().cores == 1) {
      row[2] = fmt::format("{:.2f}", *point.updates_per_second / *one);
    }
    if (!point.bound_by.empty()) row[3] = point.bound_by;
    for (std::size_t b = 1; b < point.bytes_per_update.size(); ++b) {
      row.push_back(point.bytes_per_update[b] ? fmt::format("{:.2f}", *point.bytes_per_update[b]) : "unknown");
    }
    table.add(std::move(row));
  }
  return table.str();
}

std::string sharing_text(const Summary& summary) {
  std::string text;
  for (const ArraySharing& array : summary.run.sharing) {
    text += fmt::format("{}{}: {} stores took a line from other cores, {} fetches found it dirty there",
                        text.empty() ? "" : "; ", array.name, array.count.invalidations, array.count.dirty_transfers);
  }
  return text;
}

}  // namespace mansard
