#include "cache/run_finder.hpp"

namespace mansard {
namespace {

constexpr std::size_t most_refs = 64;

/// Does `c` follow `b` as `b` follows `a`?
bool goes_on(const Element& a, const Element& b, const Element& c) {
  return c.address - b.address == b.address - a.address && c.array == b.array && c.bytes == b.bytes && c.kind == b.kind;
}
bool alike(const Element& a, const Element& b) { return a.array == b.array && a.bytes == b.bytes && a.kind == b.kind; }

/// How many of the elements, from the first on, are iterations of `refs` references? Whole iterations only.
std::size_t iterations(std::span<const Element> elements, std::size_t refs) {
  for (std::size_t r = 0; r < refs; ++r) {
    if (!alike(elements[r], elements[r + refs])) return 0;
  }
  const Element* e = elements.data();
  const Element* const end = e + (elements.size() - 2 * refs);
  while (e != end && goes_on(e[0], e[refs], e[2 * refs])) ++e;
  return static_cast<std::size_t>(e - elements.data()) / refs + 2;
}

}  // namespace

RunFinder::RunFinder() { refs_.reserve(most_refs); }  // never moves: what is learnt of runs is kept by its address

std::optional<Run> RunFinder::starting(std::span<const Element> elements) {
  const std::size_t most = std::min(most_refs, elements.size() / fewest_iterations);
  for (std::size_t refs = 1; refs <= most; ++refs) {
    if (!goes_on(elements[0], elements[refs], elements[2 * refs])) continue;
    const std::size_t count = iterations(elements, refs);
    if (count < fewest_iterations || count * refs < fewest_accesses) continue;
    refs_.clear();
    base_.clear();
    stride_.clear();
    for (std::size_t r = 0; r < refs; ++r) {
      const Element& first = elements[r];
      refs_.push_back({{}, first.array, first.bytes, first.kind});
      base_.push_back(static_cast<Int>(first.address));
      stride_.push_back(static_cast<Int>(elements[r + refs].address - first.address));
    }
    return Run{refs_, base_, stride_, count};
  }
  return std::nullopt;
}

}  // namespace mansard
