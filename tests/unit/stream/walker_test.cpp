#include "stream/walker.hpp"

#include "input/diagnostic.hpp"
#include "support/catch.hpp"
#include "support/elements.hpp"

using namespace mansard;

namespace {

constexpr Slot i = 0;
constexpr Slot j = 1;
constexpr Slot s = 2;

Quasi slot(Slot which, Int times = 1, Int plus = 0) { return Quasi::of_slot(which) * times + Quasi(plus); }
StreamRef load(Quasi address) { return {std::move(address), 0, 8, Kind::load}; }
StreamRef store(Quasi address) { return {std::move(address), 1, 8, Kind::store}; }
StreamLoop loop(Slot which, Int low, Int high, std::vector<StreamNode> body) {
  return {which, {Quasi(low)}, {Quasi(high)}, 1, {}, std::move(body), {}};
}
Program program(std::vector<StreamNode> nodes, std::size_t bodies) {
  Program p;
  p.nests.push_back({"S1", std::move(nodes)});
  p.slots = 3;
  p.bodies = bodies;
  return p;
}
std::vector<std::uint64_t> addresses(const Program& p) {
  std::vector<std::uint64_t> result;
  for (const Element& e : elements_of(p)) result.push_back(e.address);
  return result;
}
using Addresses = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("an innermost affine loop is one run; references alternate in program order") {
  Body body{0, {}, {load(slot(i, 8)), store(slot(i, 8, 1000))}, {}};
  const Program p = program({{loop(i, 1, 3, {{body}})}}, 1);
  int runs = 0;
  Walker walker(p);
  walker.walk(p.nests[0], [&](const Batch& batch) {
    const Run& run = std::get<Run>(batch);
    ++runs;
    CHECK(run.count == 3);
    CHECK(run.base[1] == 1008);
    CHECK(run.stride[1] == 8);
  });
  CHECK(runs == 1);
  CHECK(walker.executions()[0] == 3);
  CHECK(addresses(p) == Addresses{8, 1008, 16, 1016, 24, 1024});
}

TEST_CASE("a subscript that wraps around once is a run in pieces, up and down") {
  const auto wraps = [](Int step, Int plus) {
    StreamLoop l = loop(i, 0, 4, {{Body{0, {}, {load(modulo(slot(i, 1, plus), 5) * 8), store(slot(i, 8, 1000))}, {}}}});
    l.step = step;
    return program({{l}}, 1);
  };
  CHECK(addresses(wraps(1, 1)) == Addresses{8, 1000, 16, 1008, 24, 1016, 32, 1024, 0, 1032});
  CHECK(addresses(wraps(1, -1)) == Addresses{32, 1000, 0, 1008, 8, 1016, 16, 1024, 24, 1032});
  CHECK(addresses(wraps(-1, 1)) == Addresses{0, 1032, 32, 1024, 24, 1016, 16, 1008, 8, 1000});
  CHECK(addresses(wraps(2, 2)) == Addresses{16, 1000, 32, 1016, 8, 1032});
  std::vector<std::uint64_t> counts;
  const Program p = wraps(1, 1);
  Walker walker(p);
  walker.walk(p.nests[0], [&](const Batch& batch) { counts.push_back(std::get<Run>(batch).count); });
  CHECK(counts == Addresses{4, 1});
  CHECK(walker.executions()[0] == 5);
}

TEST_CASE("bounds are the largest lower and the smallest upper; hoisted accesses run once per entered loop") {
  StreamLoop inner = loop(i, 0, 9, {{Body{1, {}, {load(slot(i, 8))}, {}}}});
  inner.lower.push_back(slot(j));        // i >= j
  inner.upper.push_back(slot(j, 1, 1));  // i <= j + 1
  inner.upper.push_back(Quasi(3));
  inner.before.push_back({Body{0, {}, {load(slot(j, 8, 100))}, {}}});
  inner.after.push_back({Body{2, {}, {store(slot(j, 8, 100))}, {}}});
  const Program p = program({{loop(j, 2, 4, {{inner}})}}, 3);
  // j = 2: i = 2, 3; j = 3: i = 3; j = 4: empty, so nothing is loaded or stored either
  CHECK(addresses(p) == Addresses{116, 16, 24, 116, 124, 24, 124});
}

TEST_CASE("loops run downwards and in steps") {
  StreamLoop down = loop(i, 0, 7, {{Body{0, {}, {load(slot(i, 8))}, {}}}});
  down.step = -3;
  CHECK(addresses(program({{down}}, 1)) == Addresses{56, 32, 8});
  StreamLoop up = down;
  up.step = 3;
  CHECK(addresses(program({{up}}, 1)) == Addresses{0, 24, 48});
}

TEST_CASE("addresses with floors and modulo are evaluated element by element") {
  const Quasi parity = modulo(slot(i), 2);
  CHECK(addresses(program({{loop(i, 0, 3, {{Body{0, {}, {load(parity * 100)}, {}}}})}}, 1)) ==
        Addresses{0, 100, 0, 100});
}

TEST_CASE("guards are any of several conjunctions") {
  StreamGuard edges;
  edges.any_of = {{slot(i, -1, 1)}, {slot(i, 1, -3), slot(i, -1, 4)}};  // i <= 1 or 3 <= i <= 4
  edges.body.push_back({Body{1, {}, {load(slot(i, 8))}, {}}});
  const Program p = program({{loop(i, 0, 5, {{Body{0, {}, {}, {}}}, {edges}})}}, 2);
  CHECK(addresses(p) == Addresses{0, 8, 24, 32});
}

TEST_CASE("gathers read their tables, nested ones too") {
  Program p = program({}, 1);
  p.tables.push_back(std::make_shared<const std::vector<std::int32_t>>(std::vector<std::int32_t>{2, 0, 1}));
  Body body{0, {{s, 0, slot(i)}, {j, 0, slot(s)}}, {load(slot(s, 8)), load(slot(j, 8, 100))}, {}};
  p.nests.push_back({"S2", {{loop(i, 0, 2, {{body}})}}});
  p.nests.erase(p.nests.begin());
  CHECK(addresses(p) == Addresses{16, 108, 0, 116, 8, 100});
}

TEST_CASE("rows of a matrix that lie behind each other are one gather, with what is accessed in between") {
  // for j: { load 100+8j; for i in [row[j], row[j+1]): load 8*col[i]; store 1000+8j }, rows {0, 1}, {}, {2}
  Program p = program({}, 3);
  p.slots = 5;
  constexpr Slot from = 3, to = 4;
  p.tables.push_back(std::make_shared<const std::vector<std::int32_t>>(std::vector<std::int32_t>{0, 2, 2, 3}));
  p.tables.push_back(std::make_shared<const std::vector<std::int32_t>>(std::vector<std::int32_t>{7, 5, 6}));
  StreamLoop row = loop(i, 0, 99, {{Body{1, {{s, 1, slot(i)}}, {load(slot(s, 8))}, {}}}});
  row.lower.push_back(slot(from));
  row.upper.push_back(slot(to, 1, -1));
  p.nests[0].nodes = {{loop(j, 0, 2,
                            {{Body{0, {{from, 0, slot(j)}, {to, 0, slot(j, 1, 1)}}, {load(slot(j, 8, 100))}, {}}},
                             {row},
                             {Body{2, {}, {store(slot(j, 8, 1000))}, {}}}})}};
  CHECK(addresses(p) == Addresses{100, 56, 40, 1000, 108, 1008, 116, 48, 1016});
  std::vector<std::uint64_t> breaks;
  int gathers = 0;
  Walker walker(p);
  walker.walk(p.nests[0], [&](const Batch& batch) {
    const Gather* gather = std::get_if<Gather>(&batch);
    if (gather == nullptr) return;  // what comes before the first row
    ++gathers;
    CHECK(gather->count == 3);
    CHECK(gather->between.size() == 5);
    for (const Gather::Break& b : gather->breaks) breaks.insert(breaks.end(), {b.before, b.end});
  });
  CHECK(gathers == 1);
  CHECK(breaks == Addresses{2, 4});  // before iteration 2, four elements: store, load of the empty row, its store, load
  CHECK(walker.executions() == Addresses{3, 3, 3});
}

TEST_CASE("an index carried from one iteration to the next follows its table") {
  Program p = program({}, 2);
  p.tables.push_back(std::make_shared<const std::vector<std::int32_t>>(std::vector<std::int32_t>{2, 0, 1}));
  Body use{0, {}, {load(slot(s, 8))}, {}};
  Body next{1, {{s, 0, slot(s)}}, {}, {}};
  p.nests[0].nodes = {{loop(i, 0, 3, {{use}, {next}})}};
  CHECK(addresses(p) == Addresses{0, 16, 8, 0});
}

TEST_CASE("an index outside its table is an error, not a crash") {
  Program p = program({}, 1);
  p.tables.push_back(std::make_shared<const std::vector<std::int32_t>>(std::vector<std::int32_t>{0, 1}));
  p.nests[0].nodes = {{loop(i, 0, 2, {{Body{0, {{s, 0, slot(i)}}, {load(slot(s, 8))}, {}}}})}};
  CHECK_THROWS_AS(elements_of(p), InputError);
}

TEST_CASE("a data-dependent branch is taken in its ratio, the same way each time, and its else otherwise") {
  const Chance chance{0.3, 7, false, {i}};
  Chance otherwise = chance;
  otherwise.negated = true;
  int count = 0;
  for (Int n = 0; n < 10000; ++n) {
    const std::vector<Int> environment{n, 0, 0};
    const bool once = taken(chance, environment, 1);
    CHECK(once == taken(chance, environment, 1));
    CHECK(once != taken(otherwise, environment, 1));
    count += once ? 1 : 0;
  }
  CHECK(std::abs(count - 3000) < 150);  // 3 standard deviations are 137
}
