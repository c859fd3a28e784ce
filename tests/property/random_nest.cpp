#include "property/random_nest.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "property/random_gather.hpp"

namespace mansard::property {
namespace {

constexpr Slot outer = 0, middle = 1, inner = 2;

Quasi slot(Slot s, Int times = 1, Int plus = 0) { return Quasi::of_slot(s) * times + Quasi(plus); }

/// How the arrays of a program are walked: most references share the steps of a row and a plane, as in a stencil.
struct Steps {
  Int element, row, plane;
};

class Generator {
 public:
  Generator(Draw& source, const Geometry& geometry) : draw(source), gathers_(source) {
    const LevelGeometry& level = geometry.levels[draw.any<std::size_t>(0, geometry.levels.size() - 1)];
    shared_.element = draw.one_of<Int>({8, 8, 8, 4, 16, 1});
    shared_.row = shared_.element * draw.one_of<Int>({8, 16, 24, 32, 33, 30, 7});
    shared_.plane = shared_.row * draw.any<Int>(1, 12);
    if (draw.chance(15)) {  // planes of a whole number of sets, however large the cache
      shared_.plane = static_cast<Int>(level.sets * geometry.line) + draw.one_of<Int>({0, 0, geometry.line, 8});
    }
    reuses_ = draw.chance(30);
    gathers_often_ = draw.chance(35) ? 50 : 0;
    if (draw.chance(25)) {  // blocks, as of a product of matrices: few lines, used often, and the next ones alike
      blocks_ = reuses_ = true;
      gathers_often_ = 0;
      const Int line = geometry.line, sets = static_cast<Int>(geometry.levels.front().sets);
      shared_.row = draw.one_of<Int>({line, shared_.element * draw.any<Int>(1, 20), sets * line, sets * line});
      shared_.plane = geometry.line * draw.any<Int>(0, 9);
    }
    if (draw.chance(10)) column_ = geometry.line;
    if (draw.chance(10)) wraps_after_ = draw.any<Int>(2, largest_inner);
  }

  Program make() {
    const Int arrays = draw.any<Int>(1, 4);
    // Far more than any address below can reach: references stay in their arrays.
    const Int size = (1 << 21) + 100 * (shared_.plane + shared_.row) / 64 * 64;
    for (Int a = 0; a < arrays; ++a) {
      const Int start = a * size + draw.one_of<Int>({0, a * 5440, a * 64, draw.any<Int>(0, 200)});
      program_.regions.push_back({std::string(1, static_cast<char>('a' + a)), static_cast<std::uint64_t>(start),
                                  static_cast<std::uint64_t>(size - 40000)});
    }
    program_.seed = draw.any<std::uint64_t>(0, 3);
    for (int n = draw.any(1, 2); n > 0; --n) program_.nests.push_back({"S", {nest()}});
    program_.slots = gathers_.slots();
    program_.tables = gathers_.tables();
    return std::move(program_);
  }

 private:
  /// Over the loops down to `deepest`.
  StreamRef ref(Slot deepest) {
    Steps s = shared_;
    if (!blocks_ && !draw.chance(85)) {
      s.element = draw.one_of<Int>({0, 8, 16, 24, 64, 256, -8, 5});
      s.row = draw.any<Int>(-64, 64) * 8;
      s.plane = draw.any<Int>(-64, 64) * 8;
    }
    if (reuses_ && draw.chance(50)) s.row = 0;
    if (reuses_ && draw.chance(50)) s.plane = 0;
    if (reuses_ && draw.chance(20)) s.element = 0;
    if (column_ != 0) s = step_of_column(s);
    const auto array = draw.any<std::uint16_t>(0, static_cast<std::uint16_t>(program_.regions.size() - 1));
    Int bytes = std::min<Int>(shared_.element, 16);
    if (!draw.chance(90)) bytes = draw.chance(50) ? draw.one_of<Int>({1, 4, 8, 32}) : draw.any<Int>(1, 64);
    Int offset = static_cast<Int>(program_.regions[array].start + program_.regions[array].bytes / 2 / 64 * 64);
    offset += draw.any<Int>(-1, 1) * shared_.element;
    offset += draw.any<Int>(-1, 1) * shared_.row;
    offset += draw.any<Int>(-1, 1) * shared_.plane;
    if (draw.chance(10)) offset += draw.any<Int>(-70, 70);
    Quasi address = slot(outer, s.plane, offset);
    if (deepest >= middle) address += slot(middle, s.row);
    if (deepest >= inner) {
      const bool wraps = wraps_after_ != 0 && draw.chance(70);
      address +=
          wraps ? modulo(slot(inner, 1, draw.any<Int>(-1, 1)), wraps_after_) * s.element : slot(inner, s.element);
    }
    if (!blocks_ && draw.chance(5)) address += modulo(Quasi::of_slot(outer), 2) * 512;
    if (!blocks_ && deepest >= middle && draw.chance(5)) address += modulo(Quasi::of_slot(middle), 2) * 512;
    const Kind kind = draw.chance(70) ? Kind::load : draw.chance(85) ? Kind::store : Kind::nontemporal;
    return {address, array, static_cast<std::uint8_t>(bytes), kind};
  }

  /// A row, a column or an element of a matrix, as in a product with the dot product innermost: while the middle loop
  /// stays in a line, the lines of a column stay the same.
  Steps step_of_column(const Steps& s) {
    const Int element = std::abs(shared_.element), plane = draw.chance(50) ? s.plane : 0;
    if (draw.chance(30)) return {element, 0, plane};
    if (draw.chance(30)) return {0, draw.one_of<Int>({element, -element}), plane};
    return {column_ * draw.any<Int>(1, 4) + (draw.chance(10) ? 8 : 0), element * draw.any<Int>(1, 2), plane};
  }

  Body body(int most, Slot deepest) {
    Body b;
    b.id = static_cast<std::uint32_t>(program_.bodies++);
    b.work.updates = 1;
    for (int r = draw.any(1, most); r > 0; --r) b.refs.push_back(ref(deepest));
    if (draw.chance(gathers_often_)) gathers_.make(b, deepest, shared_.element);
    return b;
  }

  StreamLoop loop(Slot s, Int most, std::vector<StreamNode> nodes) {
    StreamLoop l{s, {Quasi(draw.any<Int>(0, 2))}, {Quasi(draw.any<Int>(1, most))}, 1, {}, std::move(nodes), {}};
    if (draw.chance(10)) l.step = draw.one_of<Int>({-1, 2, -2, 3});
    if (s == outer) return l;
    const auto around = static_cast<Slot>(s - 1);
    if (draw.chance(10)) l.upper.push_back(slot(around, draw.one_of<Int>({1, 1, -1}), draw.any<Int>(0, 20)));
    if (draw.chance(10)) l.lower.push_back(slot(around, draw.one_of<Int>({1, 1, -1}), draw.any<Int>(-10, 5)));
    if (draw.chance(15)) l.before.push_back({body(2, around)});
    if (draw.chance(15)) l.after.push_back({body(2, around)});
    return l;
  }

  /// A loop whose bounds are read before it, as the rows of a sparse matrix.
  std::vector<StreamNode> of_data(StreamLoop l) {
    Body reads = body(2, middle);
    const auto [from, to] = gathers_.bounds(reads, middle);
    l.lower.push_back(slot(from));
    l.upper.push_back(slot(to, 1, -1));
    if (draw.chance(50)) {  // what a row reads depends on the place in the matrix alone, so that the next one goes on
      auto& body = std::get<Body>(l.body.front().is);
      for (StreamDefine& d : body.defines) d.at = d.at.substitute(middle, Quasi(0));
      for (StreamRef& r : body.refs) r.address = r.address.substitute(middle, Quasi(0));
    }
    return {{std::move(reads)}, {std::move(l)}};
  }

  std::vector<StreamNode> perhaps_guarded(std::vector<StreamNode> nodes, Slot around) {
    if (blocks_ || draw.chance(85)) return nodes;
    StreamGuard guard;
    if (draw.chance(30)) {
      guard.chance = Chance{0.25 * draw.any(0, 4), draw.any(0U, 3U), draw.chance(30), {outer}};
      if (around == middle && draw.chance(70)) guard.chance->over.push_back(middle);
    } else {
      guard.any_of.push_back({slot(around, draw.one_of<Int>({1, -1}), draw.any<Int>(-10, 10))});
    }
    guard.body = std::move(nodes);
    std::vector<StreamNode> guarded;
    guarded.push_back({std::move(guard)});
    return guarded;
  }

  StreamNode nest() {
    StreamLoop in = loop(inner, draw.any<Int>(2, largest_inner), {{body(draw.chance(80) ? 8 : 20, inner)}});
    std::vector<StreamNode> row;
    if (draw.chance(gathers_often_)) {
      row = of_data(std::move(in));
    } else {
      row.push_back({std::move(in)});
    }
    StreamLoop mid = loop(middle, draw.any<Int>(1, largest_middle), perhaps_guarded(std::move(row), middle));
    if (!blocks_ && draw.chance(20))
      mid.body.push_back({loop(inner, draw.any<Int>(2, largest_inner), {{body(3, inner)}})});
    std::vector<StreamNode> plane;
    plane.push_back({std::move(mid)});
    return {loop(outer, draw.any<Int>(2, largest_outer), perhaps_guarded(std::move(plane), outer))};
  }

  Draw& draw;
  Program program_;
  RandomGathers gathers_;
  Steps shared_{};
  bool blocks_ = false;
  bool reuses_;          ///< references use some of the loops only, as in a product of matrices
  int gathers_often_;    ///< percent of the bodies
  Int column_ = 0;       ///< bytes of a line, where references walk down columns; else 0
  Int wraps_after_ = 0;  ///< where subscripts of the inner loop are taken modulo so many
};

}  // namespace

Program random_program(Draw& draw, const Geometry& geometry) { return Generator(draw, geometry).make(); }

}  // namespace mansard::property
