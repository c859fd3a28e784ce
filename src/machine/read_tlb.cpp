#include <algorithm>

#include "machine/read.hpp"

namespace mansard {
namespace {

constexpr std::size_t most_levels = 4;

TlbLevel read_level(const YamlNode& node, std::size_t index, std::uint64_t page, const MachineVocabulary& vocabulary,
                    Diagnostics& wrong) {
  const YamlNode* named = node.find("name");
  Reader reader(node, "tlb." + (named ? named->text : std::to_string(index)), wrong);
  TlbLevel level;
  level.name = reader.need<std::string>("name", parse_name, "TLB");
  level.entries = reader.need("entries", parse_count, 1U);
  level.ways = reader.get("ways", parse_count, level.entries);
  if (level.entries % level.ways != 0) {
    reader.mistake(
        node.find("ways")->at, "ways",
        std::to_string(level.entries) + " entries are not a multiple of " + std::to_string(level.ways) + " ways");
  }
  level.page = reader.get<std::uint64_t>("page", parse_page, page);
  if (level.page == 0) reader.mistake(node.find("page")->at, "page", "expected the size of a page such as 4 KiB");
  if (const YamlNode* replacement = reader.optional("replacement")) {
    level.replacement = reader.text("replacement", level.replacement);
    const std::string message = vocabulary.check_replacement(level.replacement, level.ways);
    if (!message.empty())
      reader.mistake(replacement->at, "replacement", message, suggest(level.replacement, vocabulary.policies));
  }
  reader.finish();
  return level;
}

}  // namespace

std::vector<TlbLevel> read_tlb(const YamlNode& list, std::uint64_t page, const MachineVocabulary& vocabulary,
                               Diagnostics& wrong) {
  std::vector<TlbLevel> levels;
  if (list.type != YamlNode::Type::sequence || list.items.empty() || list.items.size() > most_levels) {
    wrong.add({list.at, "tlb", "expected a list of 1 to 4 levels, from the core outward", {}});
    return levels;
  }
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    levels.push_back(read_level(list.items[i], i, page, vocabulary, wrong));
    if (levels[i].page != levels[0].page)
      wrong.add(list.items[i].at, levels[i].name + " has pages of another size than " + levels[0].name);
    const auto same_name = [&](const TlbLevel& other) { return other.name == levels[i].name; };
    if (std::count_if(levels.begin(), levels.end(), same_name) > 1)
      wrong.add(list.items[i].at, "two levels with the name " + levels[i].name);
  }
  return levels;
}

}  // namespace mansard
