#include "cache/ordered.hpp"
#include "cache/policy.hpp"

namespace mansard::policies {

extern const Policy fifo;
const Policy fifo{"fifo", "replaces the line that came in first, whatever its uses", make_ordered_level<false>};

}  // namespace mansard::policies
