#include "property/random_gather.hpp"

#include <algorithm>
#include <memory>

#include "units/mix.hpp"

namespace mansard::property {
namespace {

constexpr Int table_size = 4096;  // beyond every place() and every value that is a place itself

}  // namespace

/// Of few different values, of runs of neighbours, or of any, as the columns of a matrix are.
std::uint16_t RandomGathers::table(Int least, Int most) {
  const Int spread = draw.chance(40) ? draw.any<Int>(least, most) : most;
  const Int run = draw.one_of<Int>({1, 1, 4, 16, table_size});
  const auto seed = draw.any<std::uint64_t>(0, 255);
  std::vector<std::int32_t> values;
  for (Int n = 0; n < table_size; ++n) {
    const Int start = static_cast<Int>(mix(seed * table_size + static_cast<std::uint64_t>(n / run)) >> 1U);
    values.push_back(static_cast<std::int32_t>(least + (start + n % run) % (spread - least + 1)));
  }
  tables_.push_back(std::make_shared<const std::vector<std::int32_t>>(std::move(values)));
  return static_cast<std::uint16_t>(tables_.size() - 1);
}

/// An index that lies inside every table, up and down.
Quasi RandomGathers::place(Slot deepest) {
  Quasi at = Quasi::of_slot(0) * draw.one_of<Int>({0, 1, 50});
  if (deepest >= 1) at += Quasi::of_slot(1) * draw.one_of<Int>({0, 1, 70});
  if (deepest >= 2) {
    const Int step = draw.one_of<Int>({1, 1, 1, 0, 3, -1});
    at += Quasi::of_slot(2) * step + Quasi(step < 0 ? largest_inner : 0);
  }
  return at;
}

Slot RandomGathers::read(Body& body, std::uint16_t table, Quasi at) {
  body.defines.push_back({slots_, table, std::move(at)});
  return slots_++;
}

void RandomGathers::make(Body& body, Slot deepest, Int element) {
  std::vector<Slot> read_slots;  // consecutive
  for (int n = draw.one_of({1, 1, 1, 2, 3}); n > 0; --n) {
    if (!read_slots.empty() && draw.chance(25)) {  // reads where another read says
      read_slots.push_back(read(body, table(0, 500), Quasi::of_slot(read_slots.back()) * draw.one_of<Int>({0, 1, 2})));
    } else {
      read_slots.push_back(read(body, table(0, draw.one_of<Int>({20, 500, 2000})), place(deepest)));
    }
  }
  if (draw.chance(10)) {  // computed of what was read
    body.defines.push_back({slots_, std::nullopt, Quasi::of_slot(read_slots.back()) * -1 + Quasi(7)});
    read_slots.push_back(slots_++);
  }
  for (StreamRef& ref : body.refs) {
    if (!draw.chance(60)) continue;
    const auto follow = [&] { return Quasi::of_slot(draw.any(read_slots.front(), read_slots.back())); };
    const Int scale = draw.chance(80) ? element : draw.one_of<Int>({-8, 1, 13, 64, 128});
    ref.address += follow() * scale;
    if (draw.chance(10)) ref.address += follow() * scale;
    if (draw.chance(5)) ref.address += modulo(follow(), 3) * 256;
  }
}

/// Where the rows of a matrix begin, one behind the other; some are empty.
std::uint16_t RandomGathers::row_starts() {
  const Int longest = draw.one_of<Int>({3, 10, 20});
  const auto seed = draw.any<std::uint64_t>(0, 255);
  std::vector<std::int32_t> starts{0};
  for (Int n = 1; n < table_size; ++n) {
    const auto length = static_cast<Int>(mix(seed * table_size + static_cast<std::uint64_t>(n)) >> 1U) % (longest + 1);
    starts.push_back(static_cast<std::int32_t>(std::min<Int>(starts.back() + length, largest_inner)));
  }
  tables_.push_back(std::make_shared<const std::vector<std::int32_t>>(std::move(starts)));
  return static_cast<std::uint16_t>(tables_.size() - 1);
}

std::pair<Slot, Slot> RandomGathers::bounds(Body& body, Slot deepest) {
  const bool behind_each_other = draw.chance(50);
  const std::uint16_t rows = behind_each_other ? row_starts() : table(0, largest_inner);
  const Quasi at = behind_each_other ? Quasi::of_slot(1) : place(deepest);
  const Slot from = read(body, rows, at);
  return {from, read(body, rows, at + Quasi(1))};
}

}  // namespace mansard::property
