#include "stream/placement.hpp"

namespace mansard {

std::vector<Region> place(const Kernel& kernel, std::uint64_t gap) {
  constexpr std::uint64_t page = 4096;
  std::vector<Region> regions;
  regions.reserve(kernel.arrays.size());
  std::uint64_t pages = 0;
  std::uint64_t stagger = 0;
  for (const Array& array : kernel.arrays) {
    const std::uint64_t bytes =
        array.is_private ? 0 : static_cast<std::uint64_t>(allocated_elements(array)) * bytes_of(array.type);
    regions.push_back({array.name, pages * page + stagger, bytes, array.is_shared});
    pages += (bytes + page - 1) / page;
    stagger += gap;
  }
  return regions;
}

Quasi flat_index(const Array& array, const std::vector<Quasi>& subscripts) {
  const std::vector<Int> stride = strides(array);
  Quasi index;
  for (std::size_t d = 0; d < subscripts.size(); ++d) index += subscripts[d] * stride[d];
  return index;
}

Quasi declared_index(const Array& array, const std::vector<Quasi>& subscripts) {
  Array declared;
  declared.extents = array.extents;
  return flat_index(declared, subscripts);
}

}  // namespace mansard
