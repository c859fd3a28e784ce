#include "machine/read.hpp"

namespace mansard {
namespace {

Bandwidth read_bandwidth(const YamlNode& node, const std::string& path, Diagnostics& wrong) {
  Reader reader(node, path, wrong);
  Bandwidth figures;
  figures.core = maybe(reader, "core", parse_bytes_per_second);
  figures.domain = maybe(reader, "domain", parse_bytes_per_second);
  figures.socket = maybe(reader, "socket", parse_bytes_per_second);
  reader.finish();
  return figures;
}

}  // namespace

Memory read_memory(const YamlNode& node, Diagnostics& wrong) {
  Reader reader(node, "memory", wrong);
  Memory memory;
  memory.name = reader.get<std::string>("name", parse_name, memory.name);
  memory.latency = maybe(reader, "latency", parse_time);
  memory.spec = maybe(reader, "spec", parse_bytes_per_second);
  if (const YamlNode* bandwidth = reader.optional("bandwidth")) {
    Reader mixes(*bandwidth, "memory.bandwidth", wrong);
    for (const char* mix : {"load", "copy", "update", "triad", "daxpy"}) {
      if (const YamlNode* figures = mixes.optional(mix))
        memory.bandwidth[mix] = read_bandwidth(*figures, mixes.path(mix), wrong);
    }
    mixes.finish();
  }
  memory.write_combining = reader.get("write_combining", parse_count, 0U);
  memory.penalty = maybe(reader, "penalty", parse_positive);
  memory.streams_wait = reader.choice("streaming", {"posted", "fill_buffers"}, 0) == 1;
  if (reader.has("mix")) {
    std::vector<std::string> known;
    for (const auto& [mix, figures] : memory.bandwidth) known.push_back(mix);
    const std::size_t chosen = reader.choice("mix", known, known.size());
    if (chosen < known.size()) memory.mix = known[chosen];
  }
  reader.finish();
  return memory;
}

}  // namespace mansard
