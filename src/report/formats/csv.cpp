// CSV: one row per level, the machine and the workload in the first columns (RFC 4180 quoting); unknown is empty.
#include <fmt/format.h>

#include "report/format.hpp"

namespace mansard::formats {
namespace {

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

template <class T>
std::string field(const T& value) {
  return fmt::format("{}", value);
}
std::string field(const std::string& value) { return quoted(value); }
template <int B, int F, int C, int S>
std::string field(const Quantity<B, F, C, S>& value) {
  return field(value.value);
}
template <class T>
std::string field(const std::optional<T>& value) {
  return value ? field(*value) : std::string();
}

template <class... T>
std::string row(const T&... values) {
  std::string line;
  ((line += field(values) + ","), ...);
  line.back() = '\n';
  return line;
}

std::string parameters_of(const Summary& s) {
  std::string text;
  for (const auto& [name, value] : s.workload.parameters) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  }
  return text;
}

std::string schedule_of(const Summary& s) {
  std::string text;
  for (const std::string& step : s.workload.schedule) text += (text.empty() ? "" : "; ") + step;
  return text;
}

std::string render(const Summary& s, const RenderOptions& /*options*/) {
  std::string text =
      "machine,workload,parameters,schedule,start,cores,updates,flops,level,boundary,bytes_in,bytes_out,bytes,"
      "bytes_per_update,demand_fills,write_allocate,prefetch,write_back,clean_victims,nontemporal,write_through,"
      "hits,misses,intensity,bandwidth,roof_flops,roofline_bound_by,roofline_updates_per_second,ecm_cycles,"
      "ecm_unit_updates,ecm_bound_by,ecm_updates_per_second\n";
  const PartSummary& t = s.total;
  const auto of_ecm = [&](auto member) { return t.ecm ? field(member(*t.ecm)) : std::string(); };
  for (const LevelSummary& level : t.levels) {
    const Flow& f = level.flow;
    std::optional<std::uint64_t> hits, misses;
    if (level.lookups) hits = level.lookups->hits(), misses = level.lookups->misses();
    text +=
        row(s.machine.id, s.workload.name, parameters_of(s), schedule_of(s), s.run.cold ? "cold" : "warm", s.run.cores,
            t.work.updates, t.work.flops(), level.roof.level, level.roof.boundary, f.in(), f.out(), f.total(),
            level.bytes_per_update, f.demand_fills, f.write_allocate, f.prefetch, f.write_back, f.clean_victims,
            f.nontemporal, f.write_through, hits, misses, level.roof.intensity, level.roof.bandwidth, level.roof.roof,
            t.roofline.bound_by, t.roofline.updates_per_second, of_ecm([](const Ecm& e) { return e.unit.total(); }),
            of_ecm([](const Ecm& e) { return e.unit_updates; }), of_ecm([](const Ecm& e) { return e.unit.bound_by; }),
            of_ecm([](const Ecm& e) { return e.updates_per_second; }));
  }
  return text;
}

std::string render_quick(const QuickSummary& s) {
  const QuickRoofline& q = s.estimate;
  if (!q.levels.empty()) {
    std::string text = "machine,level,intensity,bandwidth,roof_flops,peak_flops,performance_flops,bound_by\n";
    for (const LevelRoof& l : q.levels)
      text += row(s.machine_id, l.level, l.intensity, l.bandwidth, l.roof, q.peak, q.attainable, q.bound);
    return text;
  }
  return "machine,cores,flops,bytes,intensity,ridge_intensity,peak_flops,bandwidth,performance_flops,bound_by,"
         "launch_seconds,seconds\n" +
         row(s.machine_id, q.cores, q.flops, q.bytes, q.intensity, q.ridge, q.peak, q.bandwidth, q.attainable, q.bound,
             q.launch, q.time);
}

}  // namespace

extern const Format csv;
const Format csv{"csv", "one row per level, for spreadsheets and plots", render, render_quick};

}  // namespace mansard::formats
