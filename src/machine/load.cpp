#include "machine/load.hpp"

#include <algorithm>

#include "machine/read.hpp"
#include "machine/read_energy.hpp"
#include "machine/read_gpu.hpp"
#include "machine/read_mechanisms.hpp"

namespace mansard {
namespace {

constexpr std::uint64_t largest_gap = 1ULL << 40;

/// `overlap: {serial: [REG-L1, L1-L2]}`; without it nothing overlaps, which is the most pessimistic.
void read_overlap(const YamlNode* node, Diagnostics& wrong, Machine& machine) {
  std::vector<std::string> boundaries;
  for (std::size_t i = 0; i <= machine.caches.size(); ++i) boundaries.push_back(machine.boundary(i));
  machine.serial = boundaries;
  if (!node) return;
  Reader overlap(*node, "overlap", wrong);
  if (const YamlNode* serial = overlap.required("serial")) {
    machine.serial.clear();
    if (serial->type != YamlNode::Type::sequence)
      overlap.mistake(serial->at, "serial", "expected a list of boundaries such as [REG-L1, L1-L2]");
    for (const YamlNode& item : serial->items) {
      if (std::find(boundaries.begin(), boundaries.end(), item.text) == boundaries.end()) {
        overlap.mistake(item.at, "serial", "unknown boundary '" + item.text + "'; there are " + join(boundaries),
                        suggest(item.text, boundaries));
      }
      machine.serial.push_back(item.text);
    }
  }
  overlap.finish();
}

void read_layout(const YamlNode* node, Diagnostics& wrong, Machine& machine) {
  if (!node) return;
  Reader layout(*node, "layout", wrong);
  machine.layout_gap = layout.get<std::uint64_t>("gap", parse_size, machine.layout_gap);
  if (machine.layout_gap > largest_gap) layout.mistake(layout.optional("gap")->at, "gap", "larger than 1 TiB");
  layout.finish();
}

void read_sources(const YamlNode* node, Diagnostics& wrong, Machine& machine) {
  if (!node) return;
  Reader sources(*node, "sources", wrong);
  for (const auto& [key, text] : node->pairs) machine.sources[key] = sources.text(key, {});
}

/// Keys of the other kind would only be unknown; this says why they are wrong.
void refuse_keys(Reader& reader, const std::vector<std::string>& keys, const std::string& kind) {
  for (const std::string& key : keys) {
    if (!reader.has(key)) continue;
    reader.mistake(reader.optional(key)->key_at, key, "makes sense only in a file of kind: " + kind);
  }
}

void read_cpu(Reader& reader, const YamlNode& root, const MachineVocabulary& vocabulary, Diagnostics& wrong,
              Machine& machine) {
  refuse_keys(reader, keys_of_gpus(), "gpu");
  machine.sockets = reader.get("sockets", parse_count, 1U);
  machine.cores = reader.need("cores", parse_count, 1U);
  machine.domains = reader.get("domains", parse_count, 1U);
  if (machine.domains > machine.cores)
    reader.mistake(root.find("domains")->at, "domains", "more memory domains than the socket has cores");

  if (const YamlNode* core = reader.required("core")) machine.core = read_core(*core, wrong);
  if (const YamlNode* caches = reader.required("caches"))
    machine.caches = read_caches(*caches, machine.cores, vocabulary, wrong);
  if (const YamlNode* memory = reader.required("memory")) machine.memory = read_memory(*memory, wrong);
  for (const CacheLevel& cache : machine.caches) {
    if (cache.name == machine.memory.name) wrong.add(cache.at, "the cache has the name of the memory, " + cache.name);
    if (cache.assumed) {
      machine.warnings.push_back(cache.name + ": the geometry of " + std::to_string(cache.sets) + " sets and " +
                                 std::to_string(cache.ways) + " ways is assumed, not known");
    }
  }
  machine.energy = read_energy(reader.optional("energy"), machine, wrong);
  machine.pages = read_pages(reader.optional("pages"), wrong);
  constexpr std::uint64_t usual_page = 4096;
  if (const YamlNode* tlb = reader.optional("tlb"))
    machine.tlb = read_tlb(*tlb, machine.pages.size > 0 ? machine.pages.size : usual_page, vocabulary, wrong);
  read_overlap(reader.optional("overlap"), wrong, machine);
}

void read_gpu(Reader& reader, Diagnostics& wrong, Machine& machine) {
  refuse_keys(reader, keys_of_cpus(), "cpu");
  machine.gpu = read_gpu(reader, wrong);
  machine.layout_gap = 0;  // arrays start at pages, as allocators of GPUs have it; sets are hashed
  for (const GpuCache& cache : machine.gpu->caches) {
    if (cache.assumed)
      machine.warnings.push_back(cache.name + ": " + std::to_string(cache.ways) + " ways are assumed, not known");
  }
}

}  // namespace

Machine parse_machine(const YamlNode& root, std::string id, const MachineVocabulary& vocabulary) {
  Diagnostics wrong;
  Machine machine;
  machine.id = std::move(id);
  Reader reader(root, "", wrong);
  machine.name = reader.need_text("name");
  const std::vector<std::string> kinds{"cpu", "gpu"};
  machine.kind = kinds[reader.choice("kind", kinds, 0)];
  machine.clock = reader.need("clock", parse_frequency, Hertz(1e9));
  if (machine.kind == "gpu") {
    read_gpu(reader, wrong, machine);
  } else {
    read_cpu(reader, root, vocabulary, wrong, machine);
  }
  read_layout(reader.optional("layout"), wrong, machine);
  read_sources(reader.optional("sources"), wrong, machine);
  machine.launch = maybe(reader, "launch", parse_time);
  if (machine.gpu) machine.gpu->launch = machine.launch;
  reader.finish();
  wrong.throw_if_any();
  return machine;
}

Machine load_machine(const std::filesystem::path& file, const std::vector<Override>& overrides,
                     const MachineVocabulary& vocabulary) {
  YamlNode root = load_yaml(file);
  for (const Override& change : overrides) apply_override(root, change);
  return parse_machine(root, file.stem().string(), vocabulary);
}

}  // namespace mansard
