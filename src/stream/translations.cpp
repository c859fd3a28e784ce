#include "stream/translations.hpp"

#include <algorithm>

namespace mansard {
namespace {

void make_loads(std::vector<StreamNode>& nodes) {
  for (StreamNode& node : nodes) {
    if (auto* body = std::get_if<Body>(&node.is)) {
      for (StreamRef& ref : body->refs) {
        ref.kind = Kind::load;
        ref.array = 0;
      }
    } else if (auto* guard = std::get_if<StreamGuard>(&node.is)) {
      make_loads(guard->body);
    } else if (auto* loop = std::get_if<StreamLoop>(&node.is)) {
      for (auto* part : {&loop->before, &loop->body, &loop->after}) make_loads(*part);
    }
  }
}

}  // namespace

Program translations_of(Program program) {
  for (Nest& nest : program.nests) make_loads(nest.nodes);
  std::uint64_t end = 0;
  for (const Region& region : program.regions) end = std::max(end, region.start + region.bytes);
  program.regions = {{"pages", 0, end}};
  return program;
}

}  // namespace mansard
