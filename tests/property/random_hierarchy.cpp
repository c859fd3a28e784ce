#include "property/random_hierarchy.hpp"

#include <algorithm>
#include <bit>
#include <ostream>

#include "cache/policy.hpp"

namespace mansard::property {
namespace {

// Mostly tiny, so that a short stream evicts at every level; sometimes as large as real ones, or of very many ways.
void random_size(Draw& draw, LevelGeometry& level) {
  const int kind = draw.any(1, 10);
  if (kind <= 5) {
    level.sets = draw.any<std::uint64_t>(1, 5);
    level.ways = draw.any<std::uint32_t>(1, 4);
  } else if (kind <= 8) {
    level.sets = draw.chance(70) ? draw.any<std::uint64_t>(1, 64)
                                 : draw.one_of<std::uint64_t>({9216, 28160, 28672, 20480, 4096});
    level.ways = draw.any<std::uint32_t>(1, 24);
  } else {
    level.sets = draw.any<std::uint64_t>(1, 2);
    level.ways = draw.any<std::uint32_t>(60, 90);
  }
}

std::string random_qlru(Draw& draw) {
  const std::string hit = draw.one_of({"h00", "h10", "h11", "h20", "h21"});
  const int place = draw.any(0, 2), update = draw.any(0, place == 1 ? 3 : 1);
  return "qlru-" + hit + "-m" + std::to_string(draw.any(0, 3)) + "-r" + std::to_string(place) + "-u" +
         std::to_string(update) + (draw.chance(50) ? "-umo" : "");
}

// Mostly the orders, for which there are most short cuts.
void random_policy(Draw& draw, LevelGeometry& level) {
  std::string name = draw.chance(70) ? "lru" : "fifo";
  if (draw.chance(40)) {
    name = draw.one_of({"tree-plru", "srrip", "srrip-1", "srrip-3", "qlru", "random", "random-7"});
    if (name == "qlru") name = random_qlru(draw);
  }
  if (name == "tree-plru") level.ways = std::min(std::bit_ceil(level.ways), 64U);
  if (name != "lru" && name != "fifo") level.ways = std::min(level.ways, 64U);
  const Replacement replacement = find_replacement(name);
  level.policy = replacement.policy;
  level.parameters = replacement.parameters;
}

// The masks need not be independent: sets may stay empty.
void random_hash(Draw& draw, LevelGeometry& level, std::uint32_t line) {
  level.sets = std::bit_floor(level.sets);
  for (std::uint64_t bit = 1; bit < level.sets; bit *= 2)
    level.hash.push_back(draw.any<std::uint64_t>(1, 0xffff) * line);
}

LevelGeometry random_level(Draw& draw, bool first, std::uint32_t line) {
  LevelGeometry level;
  random_size(draw, level);
  if (!first) level.role = draw.one_of({Role::nine, Role::nine, Role::inclusive, Role::victim});
  level.write_back = draw.chance(80);
  level.allocate = draw.chance(80);
  level.store_promotes = draw.chance(80);
  level.writeback_miss = draw.one_of({WritebackMiss::allocate, WritebackMiss::fetch, WritebackMiss::forward});
  level.victim_copies = draw.chance(30);
  random_policy(draw, level);
  if (draw.chance(10)) random_hash(draw, level, line);
  if (draw.chance(10))
    level.pages = {draw.one_of<std::uint64_t>({4096, 8192, 1U << 21U}), draw.any<std::uint64_t>(0, 9)};
  if (draw.chance(10)) level.sectors = draw.one_of<std::uint32_t>({2, 4, 8});
  if (draw.chance(15)) level.evasion = draw.one_of<std::uint32_t>({1'000'000, 500'000, 333'333, 700'000, 1});
  if (draw.chance(15) && level.role != Role::victim) {
    level.prefetch.adjacent = draw.chance(50);
    level.prefetch.streams = draw.any<std::uint32_t>(0, 3);
    level.prefetch.distance = draw.any<std::uint32_t>(1, 5);
  }
  return level;
}

}  // namespace

Geometry random_geometry(Draw& draw) {
  Geometry geometry;
  geometry.line = draw.one_of<std::uint32_t>({16, 32, 64, 128, 256});
  for (int k = 0, n = draw.any(1, 4); k < n; ++k) geometry.levels.push_back(random_level(draw, k == 0, geometry.line));
  if (draw.chance(15)) geometry.combining = draw.one_of<std::uint32_t>({1, 2, 3, 10});
  return geometry;
}

Geometry random_plain_geometry(Draw& draw) {
  Geometry geometry = random_geometry(draw);
  for (LevelGeometry& level : geometry.levels) {
    level.write_back = level.allocate = level.store_promotes = true;
    if (draw.chance(75)) level.role = Role::nine;
  }
  return geometry;
}

namespace {

/// Where a stream lies: strides of whole set ranges make lines meet in one set, however large the cache.
class Places {
 public:
  Places(Draw& source, const Geometry& geometry) : draw(source), line_(geometry.line) {
    const LevelGeometry& level = geometry.levels[draw.any<std::size_t>(0, geometry.levels.size() - 1)];
    conflict_ = static_cast<Int>(level.sets * geometry.line);
    ways_ = static_cast<Int>(level.ways);
    spread_ = draw.any<Int>(1, 2 * ways_ + 2);
    kinds_ = draw.chance(60) ? 10 : 12;  // of twelve: seven loads, three stores and perhaps two non-temporal stores
  }
  Int address() { return origin + draw.any<Int>(0, spread_) * conflict_ + draw.any<Int>(0, 4 * line_); }
  Int stride(std::uint8_t bytes) {
    const Int step =
        draw.one_of<Int>({0, bytes, bytes, bytes, 2 * bytes, draw.any<Int>(1, 100), line_, 3 * line_, conflict_});
    return draw.chance(25) ? -step : step;
  }
  std::uint64_t count() { return static_cast<std::uint64_t>(draw.any<Int>(0, draw.chance(70) ? 40 : 2 * ways_)); }
  std::uint8_t bytes() { return draw.chance(70) ? std::uint8_t{8} : draw.any<std::uint8_t>(1, 64); }
  Kind kind() {
    const int k = draw.any(1, kinds_);
    return k <= 7 ? Kind::load : k <= 10 ? Kind::store : Kind::nontemporal;
  }
  std::vector<Region> regions() {
    std::vector<Region> regions;
    for (int n = draw.any(1, 4); n > 0; --n) regions.push_back({"", static_cast<std::uint64_t>(address()), 1});
    std::sort(regions.begin(), regions.end(), [](auto& a, auto& b) { return a.start < b.start; });
    return regions;
  }

 private:
  static constexpr Int origin = Int{1} << 40;  // far enough from zero for every negative stride
  Draw& draw;
  Int line_, conflict_, ways_, spread_;
  int kinds_;
};

void add_nest(Draw& draw, Stream& stream, Places& places, std::uint16_t arrays) {
  OwnedRun run;
  std::vector<Int> outer;
  for (int r = draw.any(1, 6); r > 0; --r) {
    const std::uint8_t bytes = places.bytes();
    run.refs.push_back(
        {Quasi{}, draw.any<std::uint16_t>(0, static_cast<std::uint16_t>(arrays - 1)), bytes, places.kind()});
    run.base.push_back(places.address());
    run.stride.push_back(places.stride(bytes));
    outer.push_back(places.stride(bytes));
  }
  run.count = places.count();
  for (int iterations = draw.any(1, 6); iterations > 0; --iterations) {
    stream.runs.push_back(run);
    stream.gathers.emplace_back();
    for (std::size_t r = 0; r < outer.size(); ++r) run.base[r] += outer[r];
  }
}

void add_gather(Draw& draw, Stream& stream, Places& places, std::uint16_t arrays) {
  if (stream.gathers.empty()) return;
  for (int n = draw.any(0, 40); n > 0; --n) {
    stream.gathers.back().push_back({static_cast<std::uint64_t>(places.address()),
                                     draw.any<std::uint16_t>(0, static_cast<std::uint16_t>(arrays - 1)), places.bytes(),
                                     places.kind()});
  }
}

const char* name(Role role) { return role == Role::nine ? "nine" : role == Role::victim ? "victim" : "inclusive"; }
const char* name(Kind kind) { return kind == Kind::load ? "load" : kind == Kind::store ? "store" : "nontemporal"; }

}  // namespace

Case random_case(Draw& draw) {
  Case c;
  c.geometry = random_geometry(draw);
  Places places(draw, c.geometry);
  c.regions = places.regions();
  const auto arrays = static_cast<std::uint16_t>(c.regions.size());
  for (int parts = draw.any(1, 3); parts > 0; --parts) {
    add_nest(draw, c.stream, places, arrays);
    if (draw.chance(50)) add_gather(draw, c.stream, places, arrays);
  }
  return c;
}

std::vector<Element> elements_of(const Stream& stream) {
  std::vector<Element> all;
  for (std::size_t step = 0; step < stream.runs.size(); ++step) {
    const OwnedRun& run = stream.runs[step];
    for (Int n = 0; n < static_cast<Int>(run.count); ++n) {
      for (std::size_t r = 0; r < run.refs.size(); ++r) {
        all.push_back({static_cast<std::uint64_t>(run.base[r] + n * run.stride[r]), run.refs[r].array,
                       run.refs[r].bytes, run.refs[r].kind});
      }
    }
    all.insert(all.end(), stream.gathers[step].begin(), stream.gathers[step].end());
  }
  return all;
}

std::ostream& operator<<(std::ostream& out, const Case& c) {
  out << "line " << c.geometry.line << ", " << c.geometry.combining << " write-combining buffers\n";
  for (const LevelGeometry& g : c.geometry.levels) {
    out << g.sets << " sets x " << g.ways << ' ' << g.policy->name << '-' << g.parameters << ' ' << name(g.role)
        << (g.write_back ? "" : ", write-through") << (g.allocate ? "" : ", no allocate")
        << (g.store_promotes ? "" : ", stores do not promote") << (g.victim_copies ? ", copies" : "")
        << ", write-back miss " << static_cast<int>(g.writeback_miss) << (g.hash.empty() ? "" : ", hashed")
        << ", pages " << g.pages.size << ", sectors " << g.sectors << ", evasion " << g.evasion
        << (g.prefetch.adjacent ? ", adjacent" : "") << ", streams " << g.prefetch.streams << ", distance "
        << g.prefetch.distance << '\n';
  }
  for (const Region& r : c.regions) out << "region at " << r.start << '\n';
  for (std::size_t n = 0; n < c.stream.runs.size(); ++n) {
    const OwnedRun& run = c.stream.runs[n];
    out << "run of " << run.count << ':';
    for (std::size_t r = 0; r < run.refs.size(); ++r) {
      out << ' ' << name(run.refs[r].kind) << ' ' << int{run.refs[r].bytes} << " B at " << run.base[r] << " + n*"
          << run.stride[r] << ';';
    }
    for (const Element& e : c.stream.gathers[n])
      out << ' ' << name(e.kind) << ' ' << int{e.bytes} << " B at " << e.address;
    out << '\n';
  }
  return out;
}

std::ostream& operator<<(std::ostream& out, const Counters& c) {
  out << "loads " << c.loads << " stores " << c.stores << " nontemporal " << c.nontemporal_stores << " look-ups "
      << c.line_lookups << '\n';
  for (const LevelCount& l : c.levels) {
    out << "hits " << l.load_hits << '+' << l.store_hits << " misses " << l.load_misses << '+' << l.store_misses
        << '\n';
  }
  for (std::size_t b = 0; b < c.flows.size(); ++b) {
    for (const Flow& f : c.flows[b]) {
      out << "boundary " << b << ": demand " << f.demand_fills << " write-allocate " << f.write_allocate << " prefetch "
          << f.prefetch << " write-back " << f.write_back << " clean " << f.clean_victims << " nontemporal "
          << f.nontemporal << " write-through " << f.write_through << '\n';
    }
  }
  return out;
}

}  // namespace mansard::property
