#include "cache/ordered.hpp"
#include "cache/policy.hpp"

namespace mansard::policies {

extern const Policy lru;
const Policy lru{"lru", "replaces the line whose last use is longest ago", make_ordered_level<true>};

}  // namespace mansard::policies
