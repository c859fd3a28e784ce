// Programs as text: what a property or the fuzzer shows of a case that failed.
#include <ostream>

#include "property/random_nest.hpp"

namespace mansard::property {
namespace {

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
      for (const StreamDefine& d : b->defines) {
        out << indent << 's' << d.slot << " = ";
        if (d.table) out << "table " << *d.table << " at ";
        print(out, d.at);
        out << '\n';
      }
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
      out << indent << "if ";
      if (g->chance) out << "by chance, " << g->chance->ratio;
      for (const Conjunction& all : g->any_of) out << "0 <= ", print(out, all.front());
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

std::ostream& operator<<(std::ostream& out, const Program& program) {
  for (const Region& r : program.regions)
    out << "region " << r.name << " at " << r.start << " of " << r.bytes << " B\n";
  for (std::size_t t = 0; t < program.tables.size(); ++t) {
    out << "table " << t << ':';
    for (const std::int32_t value : *program.tables[t]) out << ' ' << value;
    out << '\n';
  }
  for (const Nest& nest : program.nests) print(out, nest.nodes, 0);
  return out;
}

}  // namespace mansard::property
