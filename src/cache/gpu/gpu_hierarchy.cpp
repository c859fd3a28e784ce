#include "cache/gpu/gpu_hierarchy.hpp"

#include <algorithm>
#include <iterator>

namespace mansard {
namespace {

GpuStageShape shape_of(const GpuGeometry& geometry, std::size_t k, const std::vector<Region>& regions) {
  GpuStageShape shape{geometry.levels[k], std::nullopt, geometry.fetch, regions};
  if (k + 1 < geometry.levels.size()) shape.next = geometry.levels[k + 1];
  return shape;
}

GpuStageCounts no_counts(const std::vector<Region>& regions) { return {{}, std::vector<Flow>(regions.size()), 0}; }

/// total += n * (sample - base), not below zero, number by number.
void add_difference(Counters& total, const Counters& sample, const Counters& base, std::uint64_t n) {
  const auto add = [n](std::uint64_t& to, std::uint64_t more, std::uint64_t less) {
    to = more >= less ? to + n * (more - less) : to - std::min(to, n * (less - more));
  };
  for (std::size_t k = 0; k < total.levels.size(); ++k) {
    for (const auto member :
         {&LevelCount::load_hits, &LevelCount::load_misses, &LevelCount::store_hits, &LevelCount::store_misses})
      add(total.levels[k].*member, sample.levels[k].*member, base.levels[k].*member);
  }
  for (std::size_t b = 0; b < total.flows.size(); ++b) {
    for (std::size_t a = 0; a < total.flows[b].size(); ++a) {
      for (const auto member : {&Flow::demand_fills, &Flow::write_allocate, &Flow::write_back, &Flow::write_through})
        add(total.flows[b][a].*member, sample.flows[b][a].*member, base.flows[b][a].*member);
    }
  }
}

}  // namespace

GpuHierarchy::GpuHierarchy(std::span<const GpuGeometry> geometries, const std::vector<Region>& regions)
    : geometry_(geometries.front()), regions_(regions), first_{nullptr, no_counts(regions)} {
  empty_first(geometry_.levels.front().bytes);
  const auto stages_of = [&](const GpuGeometry& geometry) {
    Stages stages;
    for (std::size_t k = 1; k < geometry.levels.size(); ++k)
      stages.push_back({make_shared_stage(shape_of(geometry, k, regions)), no_counts(regions)});
    return stages;
  };
  for (const GpuGeometry& geometry : geometries) {
    behind_.push_back({stages_of(geometry), geometry.one_in});
    one_in_ = std::max(one_in_, geometry.one_in);
  }
  if (one_in_ > 1) sampled_first_ = stages_of(geometry_);
}

void GpuHierarchy::empty_first(std::uint64_t bytes) {
  play();
  geometry_.levels.front().bytes = bytes;
  first_.stage = make_first_stage(shape_of(geometry_, 0, regions_), geometry_.units);
}

void GpuHierarchy::play() {
  if (pending_.empty()) return;
  missed_.clear();
  first_.stage->play(pending_, missed_, first_.counts);
  pending_.clear();
  sample_.clear();
  if (one_in_ > 1) {
    const std::uint64_t below = (std::uint64_t{1} << 32U) / one_in_;
    std::ranges::copy_if(missed_, std::back_inserter(sample_),
                         [below](const SectorRequest& r) { return mix(r.line) >> 32U < below; });
    play_behind_first(sampled_first_, sample_);
  }
  for (Chain& chain : behind_) play_behind_first(chain.stages, chain.one_in > 1 ? sample_ : missed_);
}

void GpuHierarchy::play_behind_first(Stages& stages, std::span<const SectorRequest> requests) {
  if (stages.empty()) return;
  tape_.clear();
  stages.front().stage->play(requests, tape_, stages.front().counts);
  play_behind(stages, 1, tape_);
}

void GpuHierarchy::play_behind(Stages& stages, std::size_t k, SectorTape& tape) {
  for (; k < stages.size(); ++k) {
    next_.clear();
    stages[k].stage->play(tape, next_, stages[k].counts);
    tape.swap(next_);
  }
}

void GpuHierarchy::drain() {
  play();
  for (Chain& chain : behind_) drain(chain.stages);
  drain(sampled_first_);
}

void GpuHierarchy::drain(Stages& stages) {
  for (std::size_t k = 0; k < stages.size(); ++k) {
    tape_.clear();
    stages[k].stage->drain(tape_, stages[k].counts);
    play_behind(stages, k + 1, tape_);
  }
}

void GpuHierarchy::keep_first_geometry() {
  play();
  behind_.erase(behind_.begin() + 1, behind_.end());
  sampled_first_.clear();
  one_in_ = 1;
}

Counters GpuHierarchy::counters_of(const Stages& stages) const {
  Counters counters(stages.size() + 1, regions_.size());
  for (std::size_t k = 0; k <= stages.size(); ++k) {
    const GpuStageCounts& counts = k == 0 ? first_.counts : stages[k - 1].counts;
    counters.levels[k] = counts.level;
    counters.flows[k + 1] = counts.flows;
  }
  return counters;
}

Counters GpuHierarchy::counters(std::size_t geometry) {
  play();
  const Chain& chain = behind_[geometry];
  if (chain.one_in == 1) return counters_of(chain.stages);
  Counters result = counters_of(behind_.front().stages);
  add_difference(result, counters_of(chain.stages), counters_of(sampled_first_), chain.one_in);
  return result;
}

std::uint64_t GpuHierarchy::between_partitions() {
  play();
  std::uint64_t sum = 0;
  for (const Stage& stage : behind_.front().stages) sum += stage.counts.between_partitions;
  return sum;
}

std::uint64_t GpuHierarchy::beyond_first() {
  play();
  std::uint64_t sum = 0;
  for (const Flow& flow : first_.counts.flows) sum += flow.total();
  return sum;
}

}  // namespace mansard
