#include "report/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/text_table.hpp"
#include "units/print.hpp"

namespace mansard {
namespace {

std::uint64_t common_updates(const std::vector<Variant>& variants) {
  return std::ranges::min(variants, {}, [](const Variant& v) { return v.summary.total.work.updates; })
      .summary.total.work.updates;
}

std::optional<double> speed_up(const Variant& variant, const Variant& base) {
  const auto mine = predicted_seconds(variant.summary);
  const auto theirs = predicted_seconds(base.summary);
  if (!mine || !theirs || *mine <= 0) return std::nullopt;
  return *theirs / *mine;
}

std::string bound_by(const Summary& summary) {
  const bool one = summary.run.cores == 1 || summary.run.scaling.empty();
  return one ? summary.total.bound_by() : summary.run.scaling.back().bound_by;
}

std::string known(const std::string& text) { return text.empty() ? "unknown" : text; }

template <class Cell>
void row(TextTable& table, const std::string& label, const std::vector<Variant>& variants, const Cell& cell) {
  std::vector<std::string> cells{label};
  for (const Variant& v : variants) cells.push_back(cell(v));
  table.add(std::move(cells));
}

}  // namespace

std::optional<double> predicted_seconds(const PartSummary& part) {
  std::optional<double> rate = part.roofline.updates_per_second;
  if (const auto ecm = part.ecm ? part.ecm->one_core_rate : std::nullopt) rate = std::min(rate.value_or(*ecm), *ecm);
  if (rate && *rate > 0) return static_cast<double>(part.work.updates) / *rate;
  return part.roofline.time ? std::optional<double>(part.roofline.time->value) : std::nullopt;
}

std::optional<double> predicted_seconds(const Summary& summary) {
  if (summary.run.cores == 1 || summary.run.scaling.empty()) return predicted_seconds(summary.total);
  const auto& time = summary.run.scaling.back().time;
  return time ? std::optional(time->value) : std::nullopt;
}

std::string comparison_table(const std::vector<Variant>& variants) {
  const Summary& first = variants.front().summary;
  const auto updates = static_cast<double>(common_updates(variants));
  std::string text = fmt::format("{} on {}", first.workload.name, first.machine.id);
  for (const auto& [name, value] : first.workload.parameters) text += fmt::format(" {}={}", name, value);
  if (first.run.cores > 1)
    text += fmt::format(", {} {}", first.run.cores, first.total.gpu ? "multiprocessors" : "cores");
  text += fmt::format("; bytes per update, of {:.0f} updates\n", updates);
  std::vector<std::string> header{""};
  for (std::size_t v = 0; v < variants.size(); ++v) {
    const std::string letter(1, static_cast<char>('A' + v));
    header.push_back(letter);
    text += fmt::format("  {}  {}\n", letter, variants[v].name);
  }
  TextTable table(header, 1);
  for (std::size_t l = 0; l < first.total.levels.size(); ++l) {
    row(table, first.total.levels[l].roof.boundary + " B/update", variants, [&](const Variant& v) {
      if (updates <= 0) return std::string("unknown");
      return fmt::format("{:.2f}", static_cast<double>(v.summary.total.levels[l].flow.total()) / updates);
    });
  }
  for (std::size_t l = 0; l < first.total.levels.size(); ++l) {
    row(table, "flop/B at " + first.total.levels[l].roof.level, variants, [&](const Variant& v) {
      const auto& intensity = v.summary.total.levels[l].roof.intensity;
      return intensity ? print_number(intensity->value) : std::string("-");
    });
  }
  row(table, "time", variants, [](const Variant& v) {
    const auto seconds = predicted_seconds(v.summary);
    return seconds ? print(Seconds(*seconds)) : std::string("unknown");
  });
  row(table, "speed-up", variants, [&](const Variant& v) {
    const auto factor = speed_up(v, variants.front());
    return factor ? fmt::format("{:.2f}", *factor) : std::string("unknown");
  });
  row(table, "bound by", variants, [](const Variant& v) { return known(bound_by(v.summary)); });
  text += table.str();
  const std::string before = known(bound_by(first));
  for (std::size_t v = 1; v < variants.size(); ++v) {
    const Variant& variant = variants[v];
    const std::string after = known(bound_by(variant.summary));
    const auto factor = speed_up(variant, variants.front());
    text += fmt::format("{}: {}{}\n", static_cast<char>('A' + v),
                        before == after ? "still bound by " + after : "bound by " + after + " instead of " + before,
                        factor ? fmt::format(", {:.2f} times as fast as A", *factor) : "");
  }
  for (const Variant& v : variants) {
    for (const std::string& warning : v.summary.warnings) text += fmt::format("warning: {}: {}\n", v.name, warning);
  }
  return text;
}

std::string comparison_json(const std::vector<Variant>& variants) {
  using nlohmann::ordered_json;
  const auto optional = [](const auto& value) { return value ? ordered_json(*value) : ordered_json(nullptr); };
  const Summary& first = variants.front().summary;
  const auto updates = common_updates(variants);
  ordered_json list = ordered_json::array();
  for (const Variant& v : variants) {
    ordered_json levels = ordered_json::array();
    for (const LevelSummary& level : v.summary.total.levels) {
      std::optional<double> per_update;
      if (updates > 0) per_update = static_cast<double>(level.flow.total()) / static_cast<double>(updates);
      std::optional<double> intensity;
      if (level.roof.intensity) intensity = level.roof.intensity->value;
      levels.push_back({{"level", level.roof.level},
                        {"boundary", level.roof.boundary},
                        {"bytes_in", level.flow.in()},
                        {"bytes_out", level.flow.out()},
                        {"bytes_per_update", optional(per_update)},
                        {"intensity", optional(intensity)}});
    }
    const std::string bound = bound_by(v.summary);
    list.push_back({{"name", v.name},
                    {"schedule", v.summary.workload.schedule},
                    {"updates", v.summary.total.work.updates},
                    {"flops", v.summary.total.work.flops()},
                    {"levels", std::move(levels)},
                    {"seconds", optional(predicted_seconds(v.summary))},
                    {"speedup", optional(speed_up(v, variants.front()))},
                    {"bound_by", bound.empty() ? ordered_json(nullptr) : ordered_json(bound)},
                    {"warnings", v.summary.warnings}});
  }
  ordered_json parameters = ordered_json::object();
  for (const auto& [name, value] : first.workload.parameters) parameters[name] = value;
  const ordered_json root{{"mansard", first.run.version},
                          {"schema", 1},
                          {"machine", first.machine.id},
                          {"workload", {{"name", first.workload.name}, {"parameters", std::move(parameters)}}},
                          {"updates", updates},
                          {"variants", std::move(list)}};
  return root.dump(2) + "\n";
}

}  // namespace mansard
