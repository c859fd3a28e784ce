#include "model/scaling.hpp"

#include <algorithm>

namespace mansard {

std::vector<ScalingPoint> scale(Cycles one_core, Cycles memory, Cycles penalty, std::uint32_t cores) {
  std::vector<ScalingPoint> points;
  double before = 0;  // u(n-1)
  for (std::uint32_t n = 1; n <= cores; ++n) {
    ScalingPoint point;
    point.cores = n;
    point.time = std::max(one_core + penalty * ((n - 1) * before), memory * n);
    if (point.time > Cycles(0)) {
      point.utilization = memory * n / point.time;
      point.speedup = one_core * n / point.time;
    }
    before = point.utilization;
    points.push_back(point);
  }
  return points;
}

}  // namespace mansard
