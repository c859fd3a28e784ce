// Random small nests as C text, and random schedule steps over their loops.
#pragma once

#include <string>
#include <vector>

namespace mansard::property {

/// Nests over loops t, j, i (and a second nest over j, i at times), with arrays a[2][12][12], b[12][12]. Inside a
/// rapidcheck property.
std::string random_nest_code();
std::vector<std::string> random_steps();

}  // namespace mansard::property
