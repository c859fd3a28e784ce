// stage(A, at: kc, into: buffer): at the start of each iteration of loop kc, copies the part of A that the iteration
// reads into a contiguous buffer, and reads it there (packing). K. Goto, R. van de Geijn, ACM TOMS 34 (2008) 12.
// into: shared, in a nest that is mapped to a GPU: the threads of a block copy together what all of them read.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "schedule/affine/hull.hpp"
#include "schedule/affine/isl_text.hpp"
#include "schedule/rewrite.hpp"
#include "schedule/step.hpp"
#include "schedule/unroll.hpp"

namespace mansard::steps {
namespace {

constexpr Int most_elements = Int{1} << 40U;

struct Request {
  const Argument* array = nullptr;
  const Argument* at = nullptr;
  const Argument* into = nullptr;
};

std::optional<Request> read(const StepCall& call, Diagnostics& diagnostics) {
  Request request;
  for (const Argument& argument : call.arguments) {
    const Argument** place = nullptr;
    if (argument.key.empty()) place = &request.array;
    if (argument.key == "at") place = &request.at;
    if (argument.key == "into") place = &request.into;
    if (place == nullptr || *place != nullptr) {
      diagnostics.add(argument.at, "stage takes an array, at and into, as in stage(A, at: kc, into: Apacked)");
      return std::nullopt;
    }
    *place = &argument;
  }
  if (request.array == nullptr || request.at == nullptr || request.into == nullptr) {
    diagnostics.add(call.at, "stage needs an array, a loop and a name, as in stage(A, at: kc, into: Apacked)");
    return std::nullopt;
  }
  return request;
}

std::string both(const std::string& a, const std::string& b) { return a.empty() ? b : b.empty() ? a : a + " and " + b; }

std::string constraints_of(const Loop& loop) {
  std::string text;
  for (const Quasi& q : loop.lower) text = both(text, fmt::format("s{} >= {}", loop.slot, isl_text::quasi(q)));
  for (const Quasi& q : loop.upper) text = both(text, fmt::format("s{} <= {}", loop.slot, isl_text::quasi(q)));
  if (loop.step != 1 && loop.step != -1) {
    const std::string start =
        loop.step > 0 ? isl_text::extreme("max", loop.lower) : isl_text::extreme("min", loop.upper);
    text = both(text, fmt::format("(s{} - {}) mod {} = 0", loop.slot, start, loop.step > 0 ? loop.step : -loop.step));
  }
  return text;
}

/// Collects the accesses of one array within the staged loop, and what bounds them.
class Collector {
 public:
  /// `running`: slots of loops around that run as well (threads of a block), under the constraints.
  Collector(ArrayId array, std::string around, std::vector<Slot> running)
      : array_(array), constraints_(std::move(around)), inner_(std::move(running)) {}
  std::vector<Touched> touched;
  std::vector<Access*> reads;
  std::string obstacle;  ///< why the array cannot be staged here; empty if it can

  void nodes(std::vector<Node>& list) {
    for (Node& node : list) {
      if (std::holds_alternative<Define>(node.is)) obstacle = "an index is read from an array in this loop";
      if (auto* loop = std::get_if<Loop>(&node.is)) {
        if (!loop->reads.empty()) obstacle = "bounds are read from an array in this loop";
        within(constraints_of(*loop), loop->slot, loop->body);
      }
      if (auto* guard = std::get_if<Guard>(&node.is)) {
        for (Value& v : guard->data) visit_accesses(v, [this](Access& a) { access(a); });
        std::string any;
        for (const Conjunction& c : guard->any_of) any += (any.empty() ? "(" : " or ") + isl_text::conjunction(c);
        within(any.empty() || !guard->reads.empty() ? "" : any + ")", {}, guard->body);
      }
      if (auto* s = std::get_if<Statement>(&node.is)) {
        visit_accesses(s->value, [this](Access& a) { access(a); });
        const auto* target = std::get_if<Access>(&s->target);
        if (target != nullptr && target->array == array_)
          obstacle = "it is written in this loop; only what is read is staged";
      }
    }
  }

 private:
  void within(const std::string& more, std::optional<Slot> slot, std::vector<Node>& body) {
    const std::string before = constraints_;
    constraints_ = both(constraints_, more);
    if (slot) inner_.push_back(*slot);
    nodes(body);
    if (slot) inner_.pop_back();
    constraints_ = before;
  }
  void access(Access& a) {
    if (a.array != array_) return;
    if (!a.indices.empty()) obstacle = "it is indexed through another array";
    touched.push_back({a.subscripts, inner_, constraints_});
    reads.push_back(&a);
  }

  ArrayId array_;
  std::string constraints_;
  std::vector<Slot> inner_;
};

/// for x0 … for x1 … buffer[x - offset] = A[x], over the part of the box that lies within the array.
Node copy_loops(Kernel& kernel, ArrayId array, ArrayId buffer, const Box& box, const Position& at) {
  Statement copy;
  copy.label = "stage_" + kernel.arrays[buffer].name;
  copy.at = at;
  Access from{array, {}, {}, at};
  Access to{buffer, {}, {}, at};
  std::vector<Loop> loops;
  for (std::size_t d = 0; d < box.size.size(); ++d) {
    Loop loop;
    loop.slot = static_cast<Slot>(kernel.slots.size());
    loop.name = fmt::format("{}_{}", kernel.arrays[buffer].name, d);
    loop.at = at;
    kernel.slots.push_back(loop.name);
    loop.lower = {box.offset[d]};
    loop.upper = {box.offset[d] + Quasi(box.size[d] - 1)};
    if (kernel.arrays[buffer].is_shared) loop.role = GpuRole::together;
    const Quasi last(kernel.arrays[array].extents[d] - 1);
    if (!(loop.upper.front() == last)) loop.upper.push_back(last);
    from.subscripts.push_back(Quasi::of_slot(loop.slot));
    to.subscripts.push_back(Quasi::of_slot(loop.slot) - box.offset[d]);
    loops.push_back(std::move(loop));
  }
  copy.target = std::move(to);
  copy.value.op = Op::load;
  copy.value.access = std::move(from);
  Node node{std::move(copy)};
  for (std::size_t d = loops.size(); d-- > 0;) {
    loops[d].body.push_back(std::move(node));
    node = Node{std::move(loops[d])};
  }
  return node;
}

/// The loops from the top down to `loop`, itself included, and their constraints; false if it is not below.
bool path_to(std::vector<Node>& nodes, const Loop* loop, std::vector<Loop*>& path, std::string& constraints) {
  for (Node& node : nodes) {
    if (auto* guard = std::get_if<Guard>(&node.is)) {
      if (path_to(guard->body, loop, path, constraints)) return true;
    }
    auto* here = std::get_if<Loop>(&node.is);
    if (here == nullptr) continue;
    if (here == loop || path_to(here->body, loop, path, constraints)) {
      path.insert(path.begin(), here);
      constraints = both(constraints, constraints_of(*here));
      return true;
    }
  }
  return false;
}

/// The loop whose iterations start with the copying: where the loop named is one of blocks, the last one of threads.
Loop& copying_loop(Loop& loop) {
  Loop* at = &loop;
  while (at->role != GpuRole::none && at->body.size() == 1) {
    auto* next = std::get_if<Loop>(&at->body.front().is);
    if (next == nullptr || next->role == GpuRole::none) break;
    at = next;
  }
  return *at;
}

/// The name of the buffer; empty and a mistake if there cannot be one.
std::string buffer_name(const Kernel& kernel, const Array& array, const Argument& into, bool mapped,
                        Diagnostics& diagnostics) {
  const bool shared = into.value == "shared";
  if (shared != mapped) {
    diagnostics.add(into.value_at, shared ? "shared memory is for nests that are mapped to a GPU: gpu(…) comes first"
                                          : "in a nest that is mapped to a GPU, arrays are staged into: shared");
    return "";
  }
  const std::string name = shared ? array.name + "_shared" : into.value;
  const bool is_name = std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  if (!is_name || std::isdigit(static_cast<unsigned char>(name.front()))) {
    diagnostics.add(into.value_at, "'" + name + "' is not a name of C");
    return "";
  }
  if (std::ranges::find(kernel.arrays, name, &Array::name) != kernel.arrays.end()) {
    diagnostics.add(into.value_at, "there is an array '" + name + "' already");
    return "";
  }
  return name;
}

void apply(Scheduling& scheduling, const StepCall& call) {
  Diagnostics& diagnostics = scheduling.diagnostics;
  const auto request = read(call, diagnostics);
  if (!request) return;
  Kernel& kernel = scheduling.with_loops();
  const Array* array = find_array(kernel, request->array->value, request->array->at, diagnostics);
  const std::vector<Loop*> loops = find_loops(kernel, request->at->value, request->at->value_at, diagnostics);
  if (array == nullptr || loops.empty()) return;
  const auto id = static_cast<ArrayId>(array - kernel.arrays.data());
  if (loops.size() > 1)
    return diagnostics.add(request->at->value_at,
                           fmt::format("{} loops are called '{}'", loops.size(), request->at->value));
  Loop& loop = *loops.front();
  std::vector<Loop*> path;
  std::string around;
  path_to(kernel.nests, &loop, path, around);
  const bool mapped = std::ranges::any_of(path, [](const Loop* l) { return l->role == GpuRole::block; });
  const std::string name = buffer_name(kernel, *array, *request->into, mapped, diagnostics);
  if (name.empty()) return;
  std::vector<Slot> outer;
  std::vector<Slot> threads;
  for (const Loop* l : path) (l->role == GpuRole::thread ? threads : outer).push_back(l->slot);
  Collector collector(id, around, std::move(threads));
  collector.nodes(loop.body);
  if (collector.obstacle.empty() && collector.reads.empty()) collector.obstacle = "it is not read in this loop";
  if (!collector.obstacle.empty())
    return diagnostics.add(
        call.at, fmt::format("'{}' cannot be staged at loop '{}': {}", array->name, loop.name, collector.obstacle));
  const auto box = box_hull(collector.touched, outer, call.at);
  double elements = 1;
  for (const Int size : box ? box->size : std::vector<Int>{}) elements *= static_cast<double>(size);
  if (!box || elements > static_cast<double>(most_elements))
    return diagnostics.add(
        call.at, fmt::format("the part of '{}' in use under loop '{}' has no fixed size", array->name, loop.name));
  count_updates_by_statement(kernel);
  Array buffer;
  buffer.name = name;
  buffer.type = array->type;
  buffer.extents = box->size;
  buffer.is_buffer = true;
  buffer.is_shared = mapped;
  buffer.at = call.at;
  const auto buffer_id = static_cast<ArrayId>(kernel.arrays.size());
  kernel.arrays.push_back(std::move(buffer));
  for (Access* access : collector.reads) {
    access->array = buffer_id;
    for (std::size_t d = 0; d < access->subscripts.size(); ++d)
      access->subscripts[d] = access->subscripts[d] - box->offset[d];
  }
  Loop& start = copying_loop(loop);
  start.body.insert(start.body.begin(), copy_loops(kernel, id, buffer_id, *box, call.at));
}

}  // namespace

extern const ScheduleStep stage;
const ScheduleStep stage{"stage", "stage(A, at: kc, into: Apacked)",
                         "copies the part of an array in use under a loop into a contiguous buffer (packing)", apply};

}  // namespace mansard::steps
