#include "cache/ordered_level.hpp"
#include "cache/policy.hpp"

namespace mansard::policies {

namespace {
std::unique_ptr<Level> make(const LevelGeometry& geometry, std::uint32_t line_bytes, std::uint64_t highest_line) {
  return make_ordered_level(Renewal::on_insertion, geometry, line_bytes, highest_line);
}
}  // namespace

extern const Policy fifo;
const Policy fifo{"fifo", "replaces the line that came in first, whatever its uses", make};

}  // namespace mansard::policies
