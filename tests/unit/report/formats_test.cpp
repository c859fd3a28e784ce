// The formats render one summary: table, JSON (schema 1) and CSV.
#include <nlohmann/json.hpp>
#include <sstream>

#include "by_hand.hpp"
#include "report/format.hpp"
#include "report/text_table.hpp"
#include "support/catch.hpp"

using namespace mansard;
using namespace mansard::by_hand;
using nlohmann::json;

namespace {

std::string render(const Summary& summary, const char* format, bool verbose = false) {
  const Format* found = find_format(format);
  REQUIRE(found);
  return found->render(summary, RenderOptions{verbose});
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

QuickSummary quick() {
  return {"test", "snb", "Sandy Bridge", quick_roofline(sandy_bridge(), Flops(1e9), Bytes(100e6), 1, Seconds(2e-5))};
}

}  // namespace

TEST_CASE("formats are found by name") {
  CHECK(all_formats().size() == 3);
  CHECK(find_format("json"));
  CHECK_FALSE(find_format("jsn"));
}

TEST_CASE("JSON has the keys of the contract") {
  const json j = json::parse(render(jacobi().summary(), "json"));
  CHECK(j["mansard"] == "test");
  CHECK(j["schema"] == 1);
  CHECK(j["exact"] == true);
  CHECK(j["machine"] == json({{"id", "snb"}, {"name", "Sandy Bridge-EP E5-2680"}, {"kind", "cpu"}, {"cores_used", 1}}));
  CHECK(j["workload"]["parameters"]["N"] == 2000);
  CHECK(j["workload"]["schedule"][0] == "tile(j:8, i:32)");
  CHECK(j["workload"]["start"] == "warm");
  CHECK(j["work"]["updates"] == 800);
  CHECK(j["work"]["flops"] == 3200);
  CHECK(j["work"]["flops_per_update"] == 4.0);
  CHECK(j["work"]["accesses"] == 4000);
  CHECK(j["work"]["lookups"] == 1234);
  CHECK(j["work"].contains("seconds"));
  CHECK(j["gpu"].is_null());
  CHECK(j["nests"].empty());
  CHECK(j["warnings"].empty());
}

TEST_CASE("JSON levels are ordered from the core outward and their kinds add up") {
  const json j = json::parse(render(jacobi().summary(), "json"));
  REQUIRE(j["levels"].size() == 4);
  const char* names[] = {"L1", "L2", "L3", "DRAM"};
  const char* boundaries[] = {"REG-L1", "L1-L2", "L2-L3", "L3-DRAM"};
  for (std::size_t l = 0; l < 4; ++l) {
    const json& level = j["levels"][l];
    CHECK(level["level"] == names[l]);
    CHECK(level["boundary"] == boundaries[l]);
    const json& d = level["detail"];
    CHECK(level["bytes_in"] ==
          d["demand_fills"].get<int>() + d["write_allocate"].get<int>() + d["prefetch"].get<int>());
    CHECK(level["bytes_out"] == d["write_back"].get<int>() + d["clean_victims"].get<int>() +
                                    d["nontemporal"].get<int>() + d["write_through"].get<int>());
    CHECK(level["bytes"] == level["bytes_in"].get<int>() + level["bytes_out"].get<int>());
    const double roof = std::min(j["roofline"]["peak_flops"].get<double>(),
                                 level["intensity"].get<double>() * level["bandwidth"].get<double>());
    CHECK(level["roof_flops"].get<double>() == Approx(roof));
  }
  CHECK(j["levels"][0]["hits"] == 3600);
  CHECK(j["levels"][0]["misses"] == 400);
  CHECK(j["levels"][3]["hits"].is_null());
  CHECK(j["levels"][3]["misses"].is_null());
}

TEST_CASE("energy where the machine has figures: 24 B/update at 100 pJ/B, and unknown in the sum what has none") {
  Example run = jacobi();
  CHECK(render(run.summary(), "table").find("energy ") == std::string::npos);
  CHECK_FALSE(json::parse(render(run.summary(), "json")).contains("energy"));
  run.machine.energy.levels.resize(4);
  run.machine.energy.levels[3] = JoulesPerByte{100e-12};
  const json energy = json::parse(render(run.summary(), "json"))["energy"];
  CHECK(energy["levels"][3]["joules"].get<double>() == Approx(800 * 24 * 100e-12));
  CHECK(energy["joules"].is_null());
  CHECK(energy["joules_per_update"].is_null());
  CHECK(render(run.summary(), "table").find("unknown = flops unknown + REG-L1 unknown") != std::string::npos);
}

TEST_CASE("JSON of the models and of the arrays") {
  const json j = json::parse(render(jacobi().summary(), "json"));
  CHECK(j["roofline"]["bound_by"] == "DRAM");
  CHECK(j["ecm"]["unit_updates"] == 8);
  CHECK(j["ecm"]["t_ol"] == Approx(6));
  CHECK(j["ecm"]["t_nol"] == Approx(8));
  CHECK(j["ecm"]["transfers"][0]["boundary"] == "L1-L2");
  CHECK(j["ecm"]["transfers"][0]["cycles"] == Approx(10));
  CHECK(j["ecm"]["notation"] == "{6 ‖ 8 | 10 | 6 | 13.1}");
  CHECK(j["ecm"]["saturation_cores"] == 3);
  REQUIRE(j["arrays"].size() == 2);
  CHECK(j["arrays"][0]["name"] == "a");
  CHECK(j["arrays"][0]["levels"][1]["bytes_in"] == 300 * 64);
  CHECK(j["arrays"][1]["levels"][3]["bytes_out"] == 100 * 64);
}

TEST_CASE("what is not known is null in JSON, empty in CSV and 'unknown' in the table") {
  Example run = jacobi();
  run.machine.caches[1].link = {};
  const Summary s = run.summary();
  const json j = json::parse(render(s, "json"));
  CHECK(j["levels"][1]["bandwidth"].is_null());
  CHECK(j["levels"][1]["roof_flops"].is_null());
  CHECK(j["ecm"]["cycles"].is_null());
  CHECK(j["ecm"]["bound_by"].is_null());
  CHECK(render(s, "table").find("unknown") != std::string::npos);
  CHECK(lines_of(render(s, "csv"))[2].find(",,,DRAM,") != std::string::npos);
}

TEST_CASE("nests carry the same keys") {
  Example run = jacobi();
  run.program.nests.push_back(run.program.nests[0]);
  run.results.push_back(run.results[0]);
  const json j = json::parse(render(run.summary(), "json"));
  REQUIRE(j["nests"].size() == 2);
  for (const char* key : {"name", "work", "levels", "roofline", "ecm", "arrays"}) CHECK(j["nests"][1].contains(key));
  CHECK(j["levels"][3]["bytes"] == 2 * j["nests"][0]["levels"][3]["bytes"].get<int>());
}

TEST_CASE("the table starts with the verdict, then the machine as simulated, and keeps within 120 columns") {
  Example run = jacobi();
  run.machine.warnings = {std::string(40, 'x') + " " + std::string(40, 'y') + " " + std::string(60, 'z')};
  const std::string text = render(run.summary(), "table", true);
  const std::vector<std::string> lines = lines_of(text);
  CHECK(lines[0].find("jacobi-2d-5pt on snb: memory-bound") == 0);
  for (const std::string& line : lines) CHECK(display_width(line) <= 120);
  CHECK(text.find("64 sets × 8 ways × 64 B = 32 KiB, LRU, write-back, write-allocate, NINE, private") !=
        std::string::npos);
  CHECK(text.find("start      warm") != std::string::npos);
  CHECK(text.find("GB = 10^9 B") != std::string::npos);
  CHECK(text.find("{6 ‖ 8 | 10 | 6 | 13.1}") != std::string::npos);
  CHECK(text.find("write-allocate") != std::string::npos);
  CHECK(text.find("1234 look-ups") != std::string::npos);
}

TEST_CASE("a victim cache is reported with its four flows") {
  Example run = jacobi();
  run.machine.caches[2].role = Role::victim;
  Counters& c = run.results[0].counters;
  c.flows[2][0] = Flow{};  // a: nothing hits in the victim, everything is evicted into it clean
  c.flows[2][0].clean_victims = 6400;
  c.flows[2][1] = Flow{};
  c.flows[2][1].write_back = 6400;
  const std::string text = render(run.summary(), "table");
  CHECK(
      text.find("32.00 B/update into and out of the level above L3 = 0.00 from it + 16.00 from memory + 8.00 clean") !=
      std::string::npos);
}

TEST_CASE("CSV: a header and one row per level, all with the same number of fields, quoted where needed") {
  Example run = jacobi();
  const std::vector<std::string> lines = lines_of(render(run.summary(), "csv"));
  REQUIRE(lines.size() == 5);
  CHECK(lines[0].find("machine,workload,parameters,schedule,") == 0);
  CHECK(lines[4].find(
            "snb,jacobi-2d-5pt,N=2000,\"tile(j:8, i:32)\",warm,1,800,3200,DRAM,L3-DRAM,12800,6400,19200,24,") == 0);
  const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
  for (std::size_t row = 1; row < 5; ++row) CHECK(commas(lines[row]) == commas(lines[0]) + 1);  // the one in the quotes
}

TEST_CASE("the quick estimate in all formats") {
  const json j = json::parse(find_format("json")->render_quick(quick()));
  CHECK(j["roofline"]["intensity"] == 10.0);
  CHECK(j["roofline"]["bound_by"] == "compute");  // 21.6 GFLOP/s against 123
  CHECK(j["roofline"]["seconds"].get<double>() == Approx(1e9 / 21.6e9 + 2e-5));
  const std::string text = find_format("table")->render_quick(quick());
  CHECK(text.find("1 GFLOP and 100 MB on snb: compute-bound, 21.6 GFLOP/s") == 0);
  const std::vector<std::string> csv = lines_of(find_format("csv")->render_quick(quick()));
  REQUIRE(csv.size() == 2);
  CHECK(std::count(csv[0].begin(), csv[0].end(), ',') == std::count(csv[1].begin(), csv[1].end(), ','));
}

TEST_CASE("text that is no UTF-8 does not break the JSON") {
  Example run = jacobi();
  run.kernel.name = "bad\xff";
  CHECK_NOTHROW(json::parse(render(run.summary(), "json")));
}
