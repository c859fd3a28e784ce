// Loop-carried chains of loops that are small enough to trace by hand.
#include "workload/recurrence.hpp"

#include "support/catch.hpp"
#include "workload/recurrence_cycle.hpp"

using namespace mansard;

namespace {

/// A kernel with scalars 0 … 7, arrays 0 … 3 of one dimension, and one loop over slot 0.
struct Example {
  Kernel kernel;
  Loop loop;

  Example() {
    kernel.scalars.resize(8);
    kernel.arrays.resize(4);
    for (Array& array : kernel.arrays) array.extents = {1000};
    loop.lower = {Quasi(0)}, loop.upper = {Quasi(99)};
  }
  void set(std::variant<ScalarId, Access> target, Value value, Assign assign = Assign::set) {
    Statement s;
    s.target = std::move(target), s.value = std::move(value), s.assign = assign;
    loop.body.push_back(Node{s});
  }
  [[nodiscard]] Recurrence recurrence() const { return recurrence_of(kernel, loop); }
};

Access element(ArrayId array, Int offset, Int stride = 1) {
  Access a;
  a.array = array;
  a.subscripts = {Quasi::of_slot(0) * stride + Quasi(offset)};
  return a;
}
Value load(ArrayId array, Int offset = 0, Int stride = 1) {
  Value v;
  v.op = Op::load, v.access = element(array, offset, stride);
  return v;
}
Value scalar(ScalarId id) {
  Value v;
  v.op = Op::scalar, v.scalar = id;
  return v;
}
Value apply(Op op, std::vector<Value> operands) {
  Value v;
  v.op = op, v.operands = std::move(operands);
  return v;
}
Value operator+(Value a, Value b) { return apply(Op::add, {std::move(a), std::move(b)}); }
Value operator-(Value a, Value b) { return apply(Op::subtract, {std::move(a), std::move(b)}); }
Value operator*(Value a, Value b) { return apply(Op::multiply, {std::move(a), std::move(b)}); }

constexpr ScalarId sum = 0, c = 1, prod = 2, y = 3, t = 4;
ScalarId id(ScalarId s) { return s; }

}  // namespace

TEST_CASE("dot product: one addition, which may be split into partial sums") {
  Example e;
  SECTION("sum += a*b") { e.set(id(sum), load(0) * load(1), Assign::add); }
  SECTION("sum = sum + a*b") { e.set(id(sum), scalar(sum) + load(0) * load(1)); }
  SECTION("sum = a*b + sum") { e.set(id(sum), load(0) * load(1) + scalar(sum)); }
  const Recurrence r = e.recurrence();
  CHECK(r.path.add == 1);
  CHECK(r.path.mul == 0);
  CHECK(r.distance == 1);
  CHECK(r.reassociable);
}

TEST_CASE("sum = fma(a, b, sum) is a sum as well, fma(sum, a, b) is not") {
  Example plain, horner;
  plain.set(id(sum), apply(Op::fused_multiply_add, {load(0), load(1), scalar(sum)}));
  CHECK(plain.recurrence().reassociable);
  CHECK(plain.recurrence().path.fma == 1);
  horner.set(id(sum), apply(Op::fused_multiply_add, {scalar(sum), load(0), load(1)}));
  CHECK_FALSE(horner.recurrence().reassociable);
}

TEST_CASE("Kahan's compensated dot product: a chain of four additions (Hammer et al., PMBS 2015)") {
  Example e;
  e.set(id(prod), load(0) * load(1));
  e.set(id(y), scalar(prod) - scalar(c));
  e.set(id(t), scalar(sum) + scalar(y));
  e.set(id(c), (scalar(t) - scalar(sum)) - scalar(y));
  e.set(id(sum), scalar(t));
  const Recurrence r = e.recurrence();
  CHECK(r.path.add == 4);
  CHECK(r.path.mul == 0);
  CHECK(r.distance == 1);
  CHECK_FALSE(r.reassociable);
}

TEST_CASE("Gauss-Seidel: through memory, from one iteration to the next") {
  Example e;
  e.set(element(0, 0), (load(0, -1) + load(0, 1)) * scalar(c));
  const Recurrence r = e.recurrence();
  CHECK(r.path.add == 1);
  CHECK(r.path.mul == 1);
  CHECK(r.distance == 1);
  CHECK_FALSE(r.reassociable);
}

TEST_CASE("Gauss-Seidel downwards, and three elements apart") {
  Example down, apart;
  down.loop.step = -1;
  down.set(element(0, 0), load(0, 1) + load(1));
  CHECK(down.recurrence().path.add == 1);
  apart.set(element(0, 0), load(0, -3) + load(1));
  CHECK(apart.recurrence().distance == 3);
}

TEST_CASE("a step that jumps over the stored elements carries nothing") {
  Example e;
  e.loop.step = 2;
  e.set(element(0, 0), load(0, -1) + load(1));
  CHECK_FALSE(e.recurrence().exists());
}

TEST_CASE("Jacobi, daxpy and reading ahead carry nothing") {
  Example jacobi, daxpy, ahead;
  jacobi.set(element(1, 0), load(0, -1) + load(0, 1));
  CHECK_FALSE(jacobi.recurrence().exists());
  daxpy.set(element(0, 0), scalar(c) * load(1), Assign::add);
  CHECK_FALSE(daxpy.recurrence().exists());
  ahead.set(element(0, 0), load(0, 1) + load(1));
  CHECK_FALSE(ahead.recurrence().exists());
}

TEST_CASE("a scalar written before it is read is private to the iteration") {
  Example e;
  e.set(id(t), load(0) + load(1));
  e.set(element(2, 0), scalar(t) * scalar(t));
  CHECK_FALSE(e.recurrence().exists());
}

TEST_CASE("an accumulator that is used otherwise cannot be split: prefix sum") {
  Example e;
  e.set(id(sum), load(0), Assign::add);
  e.set(element(1, 0), scalar(sum));
  const Recurrence r = e.recurrence();
  CHECK(r.path.add == 1);
  CHECK_FALSE(r.reassociable);
}

TEST_CASE("an invariant element is an accumulator like a scalar") {
  Example e;
  e.set(element(2, 5, 0), load(0) * load(1), Assign::add);
  CHECK(e.recurrence().reassociable);
}

TEST_CASE("a chain that may not be split hides the sum beside it") {
  Example e;
  e.set(id(sum), (load(0) + load(1)) + scalar(sum));
  e.set(id(c), scalar(c) * load(0) + load(1));
  const Recurrence r = e.recurrence();
  CHECK(r.path.add == 1);
  CHECK(r.path.mul == 1);
  CHECK_FALSE(r.reassociable);
}

TEST_CASE("values handed round over several iterations: steps over the distance of the whole cycle") {
  Example e;  // Fibonacci-like: t = y + a; y = sum; sum = t, so one addition in two iterations
  e.set(id(t), scalar(y) + load(0));
  e.set(id(y), scalar(sum));
  e.set(id(sum), scalar(t));
  const Recurrence r = e.recurrence();
  CHECK(r.path.add == 1);
  CHECK(r.distance == 2);
}

TEST_CASE("under a condition the old value may stay: a maximum has no arithmetic, a conditional sum has one addition") {
  Example e;
  Statement s;
  s.target = id(sum), s.value = load(0), s.assign = Assign::add;
  Guard guard;
  guard.ratio = 0.5;
  guard.body.push_back(Node{s});
  e.loop.body.push_back(Node{guard});
  CHECK(e.recurrence().path.add == 1);
  CHECK(e.recurrence().reassociable);
  Example maximum;
  maximum.set(id(sum), apply(Op::maximum, {scalar(sum), load(0)}));
  CHECK_FALSE(maximum.recurrence().exists());
}

TEST_CASE("gathered elements and integer counters are no chains") {
  Example gather, counter;
  Access at;
  at.array = 0;
  at.subscripts = {Quasi::of_slot(1)};
  Define read;
  read.slot = 1, read.table = ArrayId{3}, read.subscripts = {Quasi::of_slot(0)};
  at.indices = {read};
  gather.set(at, load(1), Assign::add);
  CHECK_FALSE(gather.recurrence().exists());
  counter.kernel.scalars[sum].type = ElementType::i32;
  counter.set(id(sum), load(0), Assign::add);
  CHECK_FALSE(counter.recurrence().exists());
}

TEST_CASE("a loop around a loop has no chain of its own") {
  Example e;
  e.set(id(sum), load(0), Assign::add);
  e.loop.body.push_back(Node{Loop{}});
  CHECK_FALSE(e.recurrence().exists());
}

TEST_CASE("the slowest cycle has the largest ratio, not the most operations") {
  FlopCount one, five;
  one.add = 1, five.add = 5;
  const std::vector<Dependence> graph{{0, 1, five, 3}, {1, 0, five, 3}, {2, 2, one, 1}, {2, 0, five, 1}};
  CHECK(slowest_cycle(3, graph)->path.add == 10);  // 10 / 6 beats 1 / 1; the edge 2 -> 0 is on no cycle
  const std::vector<Dependence> none{{0, 1, five, 1}};
  CHECK_FALSE(slowest_cycle(2, none));
}
