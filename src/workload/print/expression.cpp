#include <fmt/format.h>

#include <set>

#include "workload/print.hpp"
#include "workload/print/printer.hpp"

namespace mansard {
namespace {

std::string print(const Quasi& q, const std::vector<std::string>& names, bool full = false) {
  std::string text;
  const auto add = [&text](Int coefficient, const std::string& factor) {
    if (coefficient < 0) text += "-";
    if (coefficient > 0 && !text.empty()) text += "+";
    if (coefficient != 1 && coefficient != -1) text += fmt::format("{}*", coefficient < 0 ? -coefficient : coefficient);
    text += factor;
  };
  for (const Term& t : q.terms) add(t.coefficient, names[t.slot]);
  for (const Floor& f : q.floors)
    add(f.coefficient,
        fmt::format(fmt::runtime(full ? "floord({}, {})" : "(({})/{})"), print(f.inner, names, full), f.divisor));
  if (q.constant != 0 || text.empty())
    text += fmt::format("{}{}", q.constant >= 0 && !text.empty() ? "+" : "", q.constant);
  return text;
}

/// Names that appear twice (a variable declared in several loops) get a number.
std::string unique(std::string name, std::set<std::string>& used) {
  const std::string base = name;
  for (int i = 2; !used.insert(name).second; ++i) name = fmt::format("{}_{}", base, i);
  return name;
}

const char* sign(Op op) {
  switch (op) {
    case Op::add:
      return "+";
    case Op::subtract:
      return "-";
    case Op::multiply:
      return "*";
    default:
      return "/";
  }
}

/// As in the text, where an integer makes the arithmetic of integers that of integers.
std::string number(const Value& v) {
  std::string text = fmt::format("{}", v.number);
  if (v.name != "int" && text.find_first_of(".e") == std::string::npos) text += ".0";
  return v.number < 0 ? "(" + text + ")" : text;
}

}  // namespace

std::string to_string(const Quasi& q, const Kernel& kernel) {
  // t - 2*floor(t/2) was t%2 in the text.
  for (const Floor& f : q.floors) {
    const Quasi rest = q - modulo(f.inner, f.divisor);
    if (f.coefficient != -f.divisor || rest.terms.size() + rest.floors.size() >= q.terms.size() + q.floors.size())
      continue;
    const bool simple = f.inner.constant == 0 && f.inner.terms.size() == 1 && f.inner.terms.front().coefficient == 1;
    const std::string inner = to_string(f.inner, kernel);
    const std::string text = fmt::format("{}%{}", simple ? inner : "(" + inner + ")", f.divisor);
    if (rest == Quasi(0)) return text;
    const std::string more = to_string(rest, kernel);
    return text + (more.front() == '-' ? "" : "+") + more;
  }
  return print(q, kernel.slots);
}

ExpressionPrinter::ExpressionPrinter(const Kernel& kernel, bool full)
    : kernel_(kernel), full_(full), slots_(kernel.slots) {
  std::set<std::string> used;
  if (full) used = {"j0", "j1", "jn", "y0", "y1", "yn", "gamma", "min", "max", "floord", "main", "kernel", "time"};
  std::set<Slot> named;
  for (const Array& a : kernel.arrays) arrays_.push_back(unique(a.name, used));
  for (const Scalar& s : kernel.scalars) scalars_.push_back(unique(s.name, used));
  visit_nodes(kernel.nests, [&](const Node& node) {  // loops may share a name; variables of the text may not
    if (const auto* loop = std::get_if<Loop>(&node.is); loop && used.contains(loop->name))
      slots_[loop->slot] += "_loop";
    const auto* d = std::get_if<Define>(&node.is);
    if (d && named.insert(d->slot).second) slots_[d->slot] = unique(slots_[d->slot], used);
  });
}

std::string ExpressionPrinter::quasi(const Quasi& q) const { return print(q, slots_, full_); }

std::string ExpressionPrinter::list(const char* function, const std::vector<Quasi>& bounds) const {
  std::string text = quasi(bounds.back());
  for (std::size_t i = bounds.size() - 1; i-- > 0;) text = fmt::format("{}({}, {})", function, quasi(bounds[i]), text);
  return text;
}

std::string ExpressionPrinter::element(ArrayId array, const std::vector<Quasi>& subscripts) const {
  std::string text = arrays_[array];
  const std::vector<std::uint8_t>& order = kernel_.arrays[array].order;
  for (std::size_t d = 0; d < subscripts.size(); ++d)
    text += "[" + quasi(subscripts[full_ && !order.empty() ? order[d] : d]) + "]";
  return text;
}

void ExpressionPrinter::read(const Define& d) {
  slots_[d.slot] = d.table ? element(*d.table, d.subscripts) : "(" + quasi(d.subscripts[0]) + ")";
}

std::string ExpressionPrinter::access(const Access& a) {
  for (const Define& d : a.indices) read(d);
  return element(a.array, a.subscripts);
}

std::string ExpressionPrinter::call(const char* function, const Value& v) {
  std::string text;
  for (const Value& operand : v.operands) text += (text.empty() ? "" : ", ") + value(operand, true);
  return fmt::format("{}({})", function, text);
}

std::string ExpressionPrinter::value(const Value& v, bool outermost) {
  const bool is_cast = !v.name.empty() && v.op != Op::number && v.op != Op::call && v.op != Op::compare;
  return is_cast ? fmt::format("({}){}", v.name, uncast(v, false)) : uncast(v, outermost);
}

std::string ExpressionPrinter::uncast(const Value& v, bool outermost) {
  std::string text;
  switch (v.op) {
    case Op::number:
      return number(v);
    case Op::integer:
      return "(" + quasi(v.index) + ")";
    case Op::scalar:
      return scalars_[v.scalar];
    case Op::load:
      return access(v.access);
    case Op::square_root:
      return call("sqrt", v);
    case Op::absolute:
      return call("fabs", v);
    case Op::fused_multiply_add:
      return call("fma", v);
    case Op::minimum:
      return call("fmin", v);
    case Op::maximum:
      return call("fmax", v);
    case Op::call:
      return call(v.name.c_str(), v);
    case Op::negate:
      text = "-" + value(v.operands[0]);
      break;
    case Op::select:
      text = value(v.operands[0]) + " ? " + value(v.operands[1]);
      text += " : " + value(v.operands[2]);
      break;
    case Op::compare:
      if (v.operands.size() == 1) {
        text = v.name + value(v.operands[0]);
        break;
      }
      text = value(v.operands[0]) + " " + v.name + " ";
      text += value(v.operands[1]);
      break;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
      text = value(v.operands[0]) + " " + sign(v.op) + " ";
      text += value(v.operands[1]);
      break;
  }
  return outermost ? text : "(" + text + ")";
}

std::string ExpressionPrinter::condition(const Guard& guard) {
  for (const Define& d : guard.reads) read(d);
  std::string any;
  for (const Conjunction& c : guard.any_of) {
    std::string all;
    for (const Quasi& q : c) all += (all.empty() ? "" : " && ") + quasi(q) + " >= 0";
    any += (any.empty() ? "" : " || ") + (guard.any_of.size() > 1 ? "(" + all + ")" : all);
  }
  for (const Value& v : guard.data) any += value(v, true);
  return any;
}

}  // namespace mansard
