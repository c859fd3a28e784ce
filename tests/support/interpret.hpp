// Runs a kernel on numbers: what the program computes, whatever its loops look like.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "workload/kernel.hpp"

namespace mansard {

/// The arrays start with values that differ from element to element; returns their contents afterwards, row-major over
/// the declared extents. Knows the operators of the four basic kinds of arithmetic.
class Interpreter {
 public:
  explicit Interpreter(const Kernel& kernel)
      : kernel_(kernel), slots_(kernel.slots.size()), scalars_(kernel.scalars.size(), 0.5) {
    for (const Array& a : kernel.arrays) {
      Int elements = 1;
      for (const Int e : a.extents) elements *= e;
      std::vector<double> values(static_cast<std::size_t>(elements));
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0 + static_cast<double>(i * 7 % 13) / 16.0;
      arrays_.push_back(std::move(values));
    }
  }
  std::vector<std::vector<double>> run() {
    nodes(kernel_.nests);
    return arrays_;
  }

 private:
  void nodes(const std::vector<Node>& list) {
    for (const Node& node : list) {
      if (const auto* l = std::get_if<Loop>(&node.is)) loop(*l);
      if (const auto* s = std::get_if<Statement>(&node.is)) statement(*s);
      if (const auto* g = std::get_if<Guard>(&node.is)) {
        const auto holds = [&](const Conjunction& c) {
          return std::ranges::all_of(c, [&](const Quasi& q) { return q.at(slots_) >= 0; });
        };
        if (std::ranges::any_of(g->any_of, holds)) nodes(g->body);
      }
    }
  }
  void loop(const Loop& l) {
    std::vector<Int> lows;
    std::vector<Int> highs;
    for (const Quasi& q : l.lower) lows.push_back(q.at(slots_));
    for (const Quasi& q : l.upper) highs.push_back(q.at(slots_));
    const Int low = std::ranges::max(lows);
    const Int high = std::ranges::min(highs);
    for (Int v = l.step > 0 ? low : high; low <= v && v <= high; v += l.step) {
      slots_[l.slot] = v;
      nodes(l.body);
    }
  }
  double& element(const Access& a) {
    Int index = 0;
    for (std::size_t d = 0; d < a.subscripts.size(); ++d) {
      const Int s = a.subscripts[d].at(slots_);
      if (s < 0 || s >= kernel_.arrays[a.array].extents[d]) throw std::out_of_range(kernel_.arrays[a.array].name);
      index = index * kernel_.arrays[a.array].extents[d] + s;
    }
    return arrays_[a.array][static_cast<std::size_t>(index)];
  }
  double value(const Value& v) {
    const auto operand = [&](std::size_t i) { return value(v.operands[i]); };
    switch (v.op) {
      case Op::number:
        return v.number;
      case Op::integer:
        return static_cast<double>(v.index.at(slots_));
      case Op::scalar:
        return scalars_[v.scalar];
      case Op::load:
        return element(v.access);
      case Op::negate:
        return -operand(0);
      case Op::add:
        return operand(0) + operand(1);
      case Op::subtract:
        return operand(0) - operand(1);
      case Op::multiply:
        return operand(0) * operand(1);
      case Op::divide:
        return operand(0) / operand(1);
      default:
        throw std::logic_error("not needed here");
    }
  }
  void statement(const Statement& s) {
    const double right = value(s.value);
    double& left = std::holds_alternative<ScalarId>(s.target) ? scalars_[std::get<ScalarId>(s.target)]
                                                              : element(std::get<Access>(s.target));
    switch (s.assign) {
      case Assign::set:
        left = right;
        break;
      case Assign::add:
        left += right;
        break;
      case Assign::subtract:
        left -= right;
        break;
      case Assign::multiply:
        left *= right;
        break;
      case Assign::divide:
        left /= right;
        break;
    }
  }

  const Kernel& kernel_;
  std::vector<Int> slots_;
  std::vector<double> scalars_;
  std::vector<std::vector<double>> arrays_;
};

}  // namespace mansard
