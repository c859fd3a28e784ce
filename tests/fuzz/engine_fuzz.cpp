// Any bytes are a machine and a program, on which the engine and its naive twin must count the same: cold, warm and
// drained. Work is bounded: programs of many accesses are passed over. Run it as `fuzz_engine new-inputs`.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <span>

#include "property/random_hierarchy.hpp"
#include "property/random_nest.hpp"
#include "stream/walker.hpp"

using namespace mansard;
using namespace mansard::property;

namespace {

/// Takes as many bytes for a choice as it needs; when there are none left, everything is the least that it can be.
class ByteDraw final : public Draw {
 public:
  explicit ByteDraw(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

 private:
  Int integer(Int low, Int high) override {
    const auto span = static_cast<std::uint64_t>(high - low) + 1;
    std::uint64_t value = 0;
    for (std::uint64_t reach = 1; reach < span && !bytes_.empty(); reach *= 256, bytes_ = bytes_.subspan(1)) {
      value = value * 256 + bytes_.front();
    }
    return low + static_cast<Int>(value % span);
  }
  std::span<const std::uint8_t> bytes_;
};

constexpr std::uint64_t most_accesses = 20'000;  // of one walk: some milliseconds of the twin, sanitized

struct TooLong {};

std::uint64_t accesses_of(const Program& program) {
  std::uint64_t accesses = 0;
  Walker walker(program);
  const Sink count = [&](const Batch& batch) {
    if (const auto* run = std::get_if<Run>(&batch)) accesses += run->count * run->refs.size();
    if (const auto* gather = std::get_if<Gather>(&batch))
      accesses += gather->count * gather->refs.size() + gather->between.size();
    if (const auto* all = std::get_if<std::span<const Element>>(&batch)) accesses += all->size();
    if (accesses > most_accesses) throw TooLong{};
  };
  for (const Nest& nest : program.nests) walker.walk(nest, count);
  return accesses;
}

class Side {
 public:
  Side(const Program& program, std::unique_ptr<Hierarchy> made)
      : hierarchy_(std::move(made)), walker_(program, hierarchy_->loop_hook()) {}
  void walk(const Nest& nest) {
    walker_.walk(nest, [this](const Batch& batch) { hierarchy_->consume(batch); });
  }
  void drain() { hierarchy_->drain(); }
  [[nodiscard]] const Counters& counters() const { return hierarchy_->counters(); }
  friend bool operator==(const Side& a, const Side& b) {
    return a.counters() == b.counters() && a.hierarchy_->dirty_lines() == b.hierarchy_->dirty_lines() &&
           a.walker_.executions() == b.walker_.executions();
  }

 private:
  std::unique_ptr<Hierarchy> hierarchy_;
  Walker walker_;
};

void compare(const Program& program, Geometry geometry, bool fast_forward) {
  geometry.nontemporal = stores_nontemporally(program);
  Side fast(program, make_hierarchy(geometry, program.regions, fast_forward));
  Side naive(program, make_naive(geometry, program.regions));
  const auto must_agree = [&](const char* when) {
    if (fast == naive) return;
    std::cerr << when << (fast_forward ? "\n" : ", no fast-forward\n") << Case{geometry, {}, {}} << program
              << fast.counters() << "-- against --\n"
              << naive.counters();
    std::abort();
  };
  for (const char* pass : {"cold", "warm"}) {
    for (const Nest& nest : program.nests) {
      fast.walk(nest);
      naive.walk(nest);
      must_agree(pass);
    }
  }
  fast.drain();
  naive.drain();
  must_agree("drained");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteDraw draw({data, size});
  const bool fast_forward = draw.chance(70);
  const Geometry geometry = draw.chance(50) ? random_geometry(draw) : random_plain_geometry(draw);
  const Program program = random_program(draw, geometry);
  try {
    accesses_of(program);
  } catch (const TooLong&) {
    return -1;  // not worth keeping
  }
  compare(program, geometry, fast_forward);
  return 0;
}
