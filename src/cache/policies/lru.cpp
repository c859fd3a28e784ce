#include "cache/ordered_level.hpp"
#include "cache/policy.hpp"

namespace mansard::policies {

namespace {
std::unique_ptr<Level> make(const LevelGeometry& geometry, std::uint32_t line_bytes, std::uint64_t highest_line) {
  return make_ordered_level(Renewal::on_use, geometry, line_bytes, highest_line);
}
}  // namespace

extern const Policy lru;
const Policy lru{"lru", "replaces the line whose last use is longest ago", make};

}  // namespace mansard::policies
