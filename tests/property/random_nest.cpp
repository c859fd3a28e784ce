#include "property/random_nest.hpp"

#include <rapidcheck.h>

#include <ostream>

namespace mansard::property {
namespace {

Int any(Int low, Int high) { return *rc::gen::inRange<Int>(low, high + 1); }
Int one_of(std::initializer_list<Int> values) { return *rc::gen::elementOf(std::vector<Int>(values)); }
bool chance(int percent) { return any(1, 100) <= percent; }

constexpr Slot outer = 0, middle = 1, inner = 2;

Quasi slot(Slot s, Int times = 1, Int plus = 0) { return Quasi::of_slot(s) * times + Quasi(plus); }

/// How the arrays of a program are walked: most references share the steps of a row and a plane, as in a stencil.
struct Steps {
  Int element, row, plane;
};

class Generator {
 public:
  Program make() {
    shared_.element = one_of({8, 8, 8, 4, 16, 1});
    shared_.row = shared_.element * one_of({8, 16, 24, 32, 33, 30, 7});
    shared_.plane = shared_.row * any(1, 12);
    const Int arrays = any(1, 4);
    constexpr Int size = 1 << 21;  // far more than any address below can reach: references stay in their arrays
    for (Int a = 0; a < arrays; ++a) {
      const Int start = a * size + one_of({0, a * 5440, a * 64, any(0, 200)});
      program_.regions.push_back({std::string(1, static_cast<char>('a' + a)), static_cast<std::uint64_t>(start),
                                  static_cast<std::uint64_t>(size - 40000)});
    }
    program_.slots = 3;
    reuses_ = chance(30);
    for (Int n = any(1, 2); n > 0; --n) program_.nests.push_back({"S", {nest()}});
    return std::move(program_);
  }

 private:
  /// Over the loops down to `deepest`.
  StreamRef ref(Slot deepest) {
    Steps s = chance(85) ? shared_ : Steps{one_of({0, 8, 16, 24, 64, 256, -8}), any(-64, 64) * 8, any(-64, 64) * 8};
    if (reuses_ && chance(50)) s.row = 0;
    if (reuses_ && chance(50)) s.plane = 0;
    if (reuses_ && chance(20)) s.element = 0;
    const auto array = static_cast<std::uint16_t>(any(0, static_cast<Int>(program_.regions.size()) - 1));
    const Int bytes = chance(90) ? std::min<Int>(shared_.element, 16) : one_of({1, 4, 8, 12, 32});
    Int offset = static_cast<Int>(program_.regions[array].start + program_.regions[array].bytes / 2 / 64 * 64);
    offset += any(-1, 1) * shared_.element + any(-1, 1) * shared_.row + any(-1, 1) * shared_.plane;
    if (chance(10)) offset += any(-70, 70);
    Quasi address = slot(outer, s.plane, offset);
    if (deepest >= middle) address += slot(middle, s.row);
    if (deepest >= inner) address += slot(inner, s.element);
    if (chance(5)) address += modulo(Quasi::of_slot(outer), 2) * 512;
    if (deepest >= middle && chance(5)) address += modulo(Quasi::of_slot(middle), 2) * 512;
    const Kind kind = chance(70) ? Kind::load : chance(85) ? Kind::store : Kind::nontemporal;
    return {address, array, static_cast<std::uint8_t>(bytes), kind};
  }

  Body body(Int most, Slot deepest) {
    Body b;
    b.id = static_cast<std::uint32_t>(program_.bodies++);
    b.work.updates = 1;
    for (Int r = any(1, most); r > 0; --r) b.refs.push_back(ref(deepest));
    return b;
  }

  StreamLoop loop(Slot s, Int most, std::vector<StreamNode> nodes) {
    StreamLoop l{s, {Quasi(any(0, 2))}, {Quasi(any(1, most))}, 1, {}, std::move(nodes), {}};
    if (chance(10)) l.step = one_of({-1, 2, -2, 3});
    if (s != outer && chance(10)) l.upper.push_back(slot(static_cast<Slot>(s - 1), one_of({1, 1, -1}), any(0, 20)));
    if (s != outer && chance(10)) l.lower.push_back(slot(static_cast<Slot>(s - 1), one_of({1, 1, -1}), any(-10, 5)));
    if (s != outer && chance(15)) l.before.push_back({body(2, static_cast<Slot>(s - 1))});
    if (s != outer && chance(15)) l.after.push_back({body(2, static_cast<Slot>(s - 1))});
    return l;
  }

  std::vector<StreamNode> perhaps_guarded(StreamNode node, Slot around) {
    if (chance(85)) return {std::move(node)};
    StreamGuard guard;
    guard.any_of.push_back({slot(around, one_of({1, -1}), any(-10, 10))});
    guard.body.push_back(std::move(node));
    return {{std::move(guard)}};
  }

  StreamNode nest() {
    StreamNode in{loop(inner, any(2, 70), {{body(chance(80) ? 8 : 20, inner)}})};
    StreamNode mid{loop(middle, any(1, 14), perhaps_guarded(std::move(in), middle))};
    if (chance(20)) std::get<StreamLoop>(mid.is).body.push_back({loop(inner, any(2, 70), {{body(3, inner)}})});
    return {loop(outer, any(2, 40), perhaps_guarded(std::move(mid), outer))};
  }

  Program program_;
  Steps shared_{};
  bool reuses_ = false;  ///< references use some of the loops only, as in a product of matrices
};

void print(std::ostream& out, const Quasi& q) {
  out << q.constant;
  for (const Term& t : q.terms) out << " + " << t.coefficient << "*s" << t.slot;
  for (const Floor& f : q.floors) {
    out << " + " << f.coefficient << "*[(";
    print(out, f.inner);
    out << ")/" << f.divisor << "]";
  }
}

void print(std::ostream& out, const std::vector<StreamNode>& nodes, int depth) {
  const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
  for (const StreamNode& node : nodes) {
    if (const auto* b = std::get_if<Body>(&node.is)) {
      for (const StreamRef& r : b->refs) {
        out << indent
            << (r.kind == Kind::load    ? "load "
                : r.kind == Kind::store ? "store "
                                        : "nt ")
            << int{r.bytes} << " B of " << r.array << " at ";
        print(out, r.address);
        out << '\n';
      }
    } else if (const auto* g = std::get_if<StreamGuard>(&node.is)) {
      out << indent << "if 0 <= ";
      print(out, g->any_of.front().front());
      out << '\n';
      print(out, g->body, depth + 1);
    } else {
      const auto& l = std::get<StreamLoop>(node.is);
      out << indent << "for s" << l.slot << " step " << l.step;
      for (const Quasi& q : l.lower) out << " from ", print(out, q);
      for (const Quasi& q : l.upper) out << " to ", print(out, q);
      out << '\n';
      print(out, l.before, depth + 1);
      out << indent << " body\n";
      print(out, l.body, depth + 1);
      out << indent << " after\n";
      print(out, l.after, depth + 1);
    }
  }
}

}  // namespace

Program random_program() { return Generator().make(); }

std::ostream& operator<<(std::ostream& out, const Program& program) {
  for (const Region& r : program.regions)
    out << "region " << r.name << " at " << r.start << " of " << r.bytes << " B\n";
  for (const Nest& nest : program.nests) print(out, nest.nodes, 0);
  return out;
}

}  // namespace mansard::property
