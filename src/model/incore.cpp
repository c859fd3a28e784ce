#include "model/incore.hpp"

#include <algorithm>

#include "model/chain_latency.hpp"
#include "model/instructions.hpp"
#include "model/split_loads.hpp"

namespace mansard {
namespace {

using Rate = std::optional<double> Throughput::*;

/// Collects terms and the figures that are missing for them.
class Terms {
 public:
  Terms(const Core& core, InCore& result) : core_(core), result_(result) {}

  /// SIMD and scalar instructions of one kind share its ports.
  void ports(const char* name, const char* key, Rate rate, double simd, double scalar) {
    if (simd + scalar == 0) return;
    const std::optional<double> wide = core_.per_cycle.*rate;
    const std::optional<double> narrow = core_.scalar.*rate ? core_.scalar.*rate : wide;
    const auto time = plus(over(simd, wide), over(scalar, narrow));
    if (time) {
      result_.terms.push_back({name, *time});
    } else {
      result_.missing.push_back(std::string("core.per_cycle.") + key);
    }
  }

  void chains(const std::vector<Chain>& chains) {
    Cycles total;
    for (const Chain& chain : chains) {
      total +=
          latency_of(core_, chain.recurrence.path, result_.missing) * (chain.iterations / chain.recurrence.distance);
    }
    if (total > Cycles(0)) result_.terms.push_back({"chain", total});
  }

 private:
  static std::optional<Cycles> over(double instructions, const std::optional<double>& per_cycle) {
    if (instructions == 0) return Cycles(0);
    return per_cycle ? std::optional(Cycles(instructions / *per_cycle)) : std::nullopt;
  }
  static std::optional<Cycles> plus(const std::optional<Cycles>& a, const std::optional<Cycles>& b) {
    return a && b ? std::optional(*a + *b) : std::nullopt;
  }

  const Core& core_;
  InCore& result_;
};

}  // namespace

InCore in_core(const Machine& machine, const Nest& nest, const NestResult& result) {
  const InstructionCount count = count_instructions(machine, nest, result.executions);
  const auto& [simd, scalar, chains, vector_loops] = count;
  InCore core;
  Terms terms(machine.core, core);

  terms.ports("load", "loads", &Throughput::loads, simd.loads, scalar.loads);
  if (!core.terms.empty()) {
    core.t_nol = core.terms.front().cycles;
  } else if (simd.loads + scalar.loads == 0) {
    core.t_nol = Cycles(0);
  }
  const std::size_t overlapping = core.terms.size(), unknown_loads = core.missing.size();
  terms.ports("store", "stores", &Throughput::stores, simd.stores, scalar.stores);
  terms.ports("add", "add", &Throughput::add, simd.add, scalar.add);
  terms.ports("mul", "mul", &Throughput::mul, simd.mul, scalar.mul);
  terms.ports("fma", "fma", &Throughput::fma, simd.fma, scalar.fma);
  if (machine.core.per_cycle.fma) {  // products are issued to the FMA units too, and sums unless they have their own
    const double sums = machine.core.separate_add ? 0 : 1;
    terms.ports("fp", "fma", &Throughput::fma, sums * simd.add + simd.mul + simd.fma,
                sums * scalar.add + scalar.mul + scalar.fma);
  }
  terms.ports("div", "div", &Throughput::div, simd.div, scalar.div);
  terms.ports("sqrt", "sqrt", &Throughput::sqrt, simd.sqrt, scalar.sqrt);
  if (simd.call + scalar.call > 0) core.missing.emplace_back("the time of calls such as exp()");
  terms.chains(chains);
  for (const VectorLoop& loop : vector_loops) core.t_split_loads += split_load_time(machine, loop, core.missing);

  const auto slower = [](const CoreTerm& a, const CoreTerm& b) { return a.cycles < b.cycles; };
  const auto first = core.terms.begin() + static_cast<std::ptrdiff_t>(overlapping);
  if (const auto largest = std::max_element(first, core.terms.end(), slower); largest != core.terms.end()) {
    core.t_ol = largest->cycles;
  } else if (core.missing.size() == unknown_loads) {
    core.t_ol = Cycles(0);  // nothing to do but loads
  }
  const auto largest = std::max_element(core.terms.begin(), core.terms.end(), slower);
  if (largest != core.terms.end()) core.bound = largest->name;
  std::sort(core.missing.begin(), core.missing.end());
  core.missing.erase(std::unique(core.missing.begin(), core.missing.end()), core.missing.end());
  return core;
}

}  // namespace mansard
