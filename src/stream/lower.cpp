#include "stream/lower.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "stream/kept_scalars.hpp"
#include "stream/placement.hpp"
#include "stream/registers.hpp"

namespace mansard {
namespace {

bool contains_loop(const std::vector<Node>& nodes) {
  bool found = false;
  visit_nodes(nodes, [&](const Node& node) { found = found || std::holds_alternative<Loop>(node.is); });
  return found;
}

bool touches_array(const Value& value) {
  return value.op == Op::load || std::ranges::any_of(value.operands, touches_array);
}

bool is_array_statement(const Node& node) {
  const auto* statement = std::get_if<Statement>(&node.is);
  return statement != nullptr && (std::holds_alternative<Access>(statement->target) || touches_array(statement->value));
}

bool has_array_statement(const std::vector<Node>& nodes) { return std::ranges::any_of(nodes, is_array_statement); }

/// A branch that data decide, but always alike.
bool always_taken(const Guard& guard) { return guard.ratio && *guard.ratio == (guard.negated ? 0.0 : 1.0); }
bool never_taken(const Guard& guard) { return guard.ratio && *guard.ratio == (guard.negated ? 1.0 : 0.0); }

class Lowering {
 public:
  Lowering(const Kernel& kernel, const LowerOptions& options) : kernel_(kernel), options_(options) {
    program_.regions = place(kernel, options.gap);
    program_.slots = kernel.slots.size();
    program_.seed = options.seed;
    tables_.resize(kernel.arrays.size());
    for (std::size_t a = 0; a < kernel.arrays.size(); ++a) {
      if (kernel.arrays[a].data == nullptr) continue;
      tables_[a] = static_cast<std::uint16_t>(program_.tables.size());
      program_.tables.push_back(kernel.arrays[a].data);
    }
    definitions_.resize(kernel.slots.size());
    visit_nodes(kernel.nests, [&](const Node& node) {
      const auto* define = std::get_if<Define>(&node.is);
      if (define != nullptr) ++definitions_[define->slot];
      const auto* loop = std::get_if<Loop>(&node.is);
      named_update_ = named_update_ || (loop != nullptr && loop->counts_updates);
    });
    named_update_ = named_update_ || kernel.updates_by_statement;
  }

  Program run() {
    std::vector<Node> pending;
    for (const Node& node : kernel_.nests) {
      pending.push_back(node);
      if (contains_loop({node})) add_nest(std::exchange(pending, {}));
    }
    if (!pending.empty()) add_nest(pending);
    constexpr std::size_t most_nests = 2000;  // each is counted for itself
    if (program_.nests.size() > most_nests) {
      throw InputError({kernel_.name}, "more than " + std::to_string(most_nests) + " loop nests in a row");
    }
    for (Nest& nest : program_.nests) number_bodies(nest.nodes);
    return std::move(program_);
  }

 private:
  /// The straight-line code being collected, and where it goes when a loop or guard ends it.
  struct Scope {
    std::vector<StreamNode> done;
    Body open;
    bool leading = false;  ///< the first body of an innermost loop is kept even without accesses
    Known known;
    std::vector<std::pair<StreamDefine, Slot>> indices;  ///< index reads whose value is in a slot already
    std::optional<Slot> innermost;
    Simd simd = Simd::automatic;
  };

  /// The slot gets a new value: index reads into it or through it are not what they were.
  static void forget_indices(Scope& scope, Slot slot) {
    std::erase_if(scope.indices, [slot](const auto& k) { return k.second == slot || k.first.at.uses(slot); });
  }

  static void close(Scope& scope) {
    Body& open = scope.open;
    const bool worth = !open.refs.empty() || !open.defines.empty() || open.work.updates > 0 ||
                       open.work.flops != FlopCount{} || scope.leading;
    Body closed = std::exchange(open, Body{});
    closed.work.innermost = scope.innermost;
    closed.work.simd = scope.simd;
    if (worth) scope.done.push_back({std::move(closed)});
    scope.leading = false;
  }

  void add_nest(const std::vector<Node>& nodes) {
    Scope scope;
    lower_nodes(nodes, scope);
    close(scope);
    std::string first;
    std::string last;
    visit_nodes(nodes, [&](const Node& node) {
      if (!is_array_statement(node)) return;
      last = std::get<Statement>(node.is).label;
      if (first.empty()) first = last;
    });
    std::string name = first == last ? first : first + "-" + last;
    if (name.empty()) name = "nest " + std::to_string(program_.nests.size() + 1);
    program_.nests.push_back({std::move(name), std::move(scope.done)});
  }

  void lower_nodes(const std::vector<Node>& nodes, Scope& scope) {
    for (const Node& node : nodes) {
      if (const auto* s = std::get_if<Statement>(&node.is)) lower_statement(*s, scope);
      if (const auto* d = std::get_if<Define>(&node.is)) lower_define(*d, scope);
      if (const auto* g = std::get_if<Guard>(&node.is)) lower_guard(*g, scope);
      if (const auto* l = std::get_if<Loop>(&node.is)) lower_loop(*l, scope);
    }
  }

  // ------------------------------------------------------------------------------------------ accesses

  /// A slot whose value is the same as one read before stands for it.
  Quasi renamed(Quasi q) const {
    for (const auto& [from, to] : renames_) {
      if (q.uses(from)) q = q.substitute(from, Quasi::of_slot(to));
    }
    return q;
  }

  std::vector<Quasi> renamed(const std::vector<Quasi>& expressions) const {
    std::vector<Quasi> result;
    for (const Quasi& q : expressions) result.push_back(renamed(q));
    return result;
  }

  StreamRef ref_to(ArrayId array, const std::vector<Quasi>& subscripts, Kind kind) const {
    const Array& a = kernel_.arrays[array];
    const std::uint32_t bytes = bytes_of(a.type);
    Quasi address = renamed(flat_index(a, subscripts)) * static_cast<Int>(bytes);
    address.constant += static_cast<Int>(program_.regions[array].start);
    return {std::move(address), array, static_cast<std::uint8_t>(bytes), kind};
  }

  void emit_load(const StreamRef& ref, Scope& scope) const {
    if (options_.registers && scope.known.contains(ref)) return;
    scope.known.loaded(ref);
    scope.open.refs.push_back(ref);
  }

  void lower_define(const Define& define, Scope& scope) {
    std::erase_if(renames_, [&](const auto& r) { return r.first == define.slot; });
    StreamDefine d{define.slot, std::nullopt, {}};
    if (define.table) {
      emit_load(ref_to(*define.table, define.subscripts, Kind::load), scope);
      d.table = tables_[*define.table];
      d.at = renamed(declared_index(kernel_.arrays[*define.table], define.subscripts));
    } else {
      d.at = renamed(define.subscripts.front());
    }
    // A slot with a value that another one has stands for it, if neither ever gets a second value.
    for (const auto& [known, slot] : scope.indices) {
      if (definitions_[slot] > 1 || definitions_[d.slot] > 1) continue;
      if (known.table == d.table && known.at == d.at && slot != d.slot) {
        renames_.emplace_back(d.slot, slot);
        return;
      }
    }
    // A slot that gets a new value (p = next[p]): what was collected so far uses the old one and must run before.
    const auto mentions = [&](const Quasi& q) { return q.uses(d.slot); };
    const bool in_use = std::ranges::any_of(scope.open.refs, [&](const StreamRef& r) { return mentions(r.address); }) ||
                        std::ranges::any_of(scope.open.defines,
                                            [&](const StreamDefine& o) { return o.slot == d.slot || mentions(o.at); });
    if (in_use) close(scope);
    scope.known.forget_slot(d.slot);
    forget_indices(scope, d.slot);
    if (!d.at.uses(d.slot)) scope.indices.emplace_back(d, d.slot);
    scope.open.defines.push_back(std::move(d));
  }

  void lower_access(const Access& access, Kind kind, Scope& scope) {
    for (const Define& index : access.indices) lower_define(index, scope);
    if (kernel_.arrays[access.array].is_private) return;
    const StreamRef ref = ref_to(access.array, access.subscripts, kind);
    if (kind == Kind::load) return emit_load(ref, scope);
    scope.known.stored(ref);
    scope.open.refs.push_back(ref);
  }

  void lower_value(const Value& value, Scope& scope) {
    if (value.op == Op::load) lower_access(value.access, Kind::load, scope);
    for (const Value& operand : value.operands) lower_value(operand, scope);
  }

  void lower_statement(const Statement& statement, Scope& scope) {
    const auto* target = std::get_if<Access>(&statement.target);
    if (target != nullptr && statement.assign != Assign::set) lower_access(*target, Kind::load, scope);
    lower_value(statement.value, scope);
    if (target != nullptr) {
      lower_access(*target, kernel_.arrays[target->array].nontemporal ? Kind::nontemporal : Kind::store, scope);
    }
    scope.open.work.flops += count_flops(statement);
    scope.open.work.contracted += contract_flops(statement);
    scope.open.work.updates += statement.updates;
  }

  // ------------------------------------------------------------------------------------------ control

  /// After a guard or loop: what it may have stored is no longer known, nor are slots it defined.
  static void forget_effects(const std::vector<StreamNode>& nodes, Scope& scope) {
    visit_bodies(nodes, [&](const Body& body) {
      for (const StreamRef& ref : body.refs) {
        if (ref.kind != Kind::load) scope.known.forget_overlapping(ref);
      }
      for (const StreamDefine& d : body.defines) {
        scope.known.forget_slot(d.slot);
        forget_indices(scope, d.slot);
      }
    });
  }

  void lower_guard(const Guard& guard, Scope& scope) {
    for (const Define& read : guard.reads) lower_define(read, scope);
    for (const Value& value : guard.data) {
      lower_value(value, scope);
      if (!guard.negated) {
        scope.open.work.flops += count_flops(value);
        scope.open.work.contracted += count_flops(value);
      }
    }
    const bool counts = guarded_updates_ && has_array_statement(guard.body);
    if (never_taken(guard) && !options_.worst_branches) return;
    if (always_taken(guard)) {
      if (counts) scope.open.work.updates += 1;
      const bool outer_guarded = std::exchange(guarded_updates_, guarded_updates_ && !counts);
      lower_nodes(guard.body, scope);
      guarded_updates_ = outer_guarded;
      return;
    }
    close(scope);
    Scope inside;
    inside.known = scope.known;
    inside.indices = scope.indices;
    inside.innermost = scope.innermost;
    inside.simd = scope.simd;
    if (counts) inside.open.work.updates = 1;
    const bool outer_guarded = std::exchange(guarded_updates_, guarded_updates_ && !counts);
    const auto renames = renames_;
    lower_nodes(guard.body, inside);
    renames_ = renames;
    guarded_updates_ = outer_guarded;
    close(inside);
    forget_effects(inside.done, scope);
    if (guard.ratio && options_.worst_branches) {
      for (StreamNode& node : inside.done) scope.done.push_back(std::move(node));
      return;
    }
    StreamGuard result;
    for (const Conjunction& conjunction : guard.any_of) result.any_of.push_back(renamed(conjunction));
    if (guard.ratio) result.chance = Chance{*guard.ratio, guard.site, guard.negated, loops_};
    result.body = std::move(inside.done);
    scope.done.push_back({std::move(result)});
  }

  static bool surely_runs(const StreamLoop& loop) {
    const auto all_constant = [](const Quasi& q) { return q.is_constant(); };
    return std::ranges::all_of(loop.lower, all_constant) && std::ranges::all_of(loop.upper, all_constant) &&
           std::ranges::max(loop.lower, {}, &Quasi::constant).constant <=
               std::ranges::min(loop.upper, {}, &Quasi::constant).constant;
  }

  /// An innermost iteration that executes an array statement is an update. Where all of those are under conditions,
  /// each guard counts for itself, unless several guards of affine conditions stand side by side (see count_either).
  bool updates_are_guarded(const Loop& loop, bool innermost) const {
    if (!innermost || named_update_ || has_array_statement(loop.body)) return false;
    return update_guards(loop.body).size() < 2;
  }

  static std::vector<const Guard*> update_guards(const std::vector<Node>& nodes) {
    std::vector<const Guard*> guards;
    for (const Node& node : nodes) {
      const auto* guard = std::get_if<Guard>(&node.is);
      if (guard != nullptr && (has_array_statement(guard->body) || !update_guards(guard->body).empty())) {
        guards.push_back(guard);
      }
    }
    return guards;
  }

  /// Several guards in one iteration: one update if any of them is taken. A data-dependent one counts as taken.
  void count_either(const Loop& loop, Scope& scope) const {
    const std::vector<const Guard*> guards = update_guards(loop.body);
    if (guards.size() < 2) return;
    StreamGuard either;
    bool always = false;
    for (const Guard* guard : guards) {
      always = always || guard->ratio.has_value();
      for (const Conjunction& conjunction : guard->any_of) either.any_of.push_back(renamed(conjunction));
    }
    Body count;
    count.work.updates = 1;
    count.work.innermost = scope.innermost;
    if (always) {
      scope.done.push_back({std::move(count)});
    } else {
      either.body.push_back({std::move(count)});
      scope.done.push_back({std::move(either)});
    }
  }

  void lower_loop(const Loop& loop, Scope& scope) {
    for (const Define& read : loop.reads) lower_define(read, scope);
    close(scope);
    StreamLoop result;
    result.slot = loop.slot;
    result.step = loop.step;
    result.lower = renamed(loop.lower);
    result.upper = renamed(loop.upper);
    result.parallel = loop.parallel;
    result.chunk = loop.chunk;
    result.role = loop.role;
    result.axis = loop.axis;
    result.launch = loop.launch;

    const bool innermost = !contains_loop(loop.body);
    Scope inside;
    inside.indices = scope.indices;
    // What the loop itself redefines (a carried index) is not known at its start.
    visit_nodes(loop.body, [&](const Node& node) {
      if (const auto* d = std::get_if<Define>(&node.is)) {
        forget_indices(inside, d->slot);
      }
    });
    if (innermost) {
      inside.leading = true;
      inside.innermost = loop.slot;
      inside.simd = loop.simd;
    }
    if (loop.counts_updates || (innermost && !named_update_ && has_array_statement(loop.body))) {
      inside.open.work.updates = 1;
    }
    const bool outer_guarded = std::exchange(guarded_updates_, updates_are_guarded(loop, innermost));
    const auto renames = renames_;
    loops_.push_back(loop.slot);
    lower_nodes(loop.body, inside);
    loops_.pop_back();
    close(inside);
    if (innermost && !named_update_ && !guarded_updates_ && !has_array_statement(loop.body)) {
      count_either(loop, inside);
    }
    guarded_updates_ = outer_guarded;
    renames_ = renames;
    result.body = std::move(inside.done);
    if (innermost) {
      // Straight code before the first guard is one body, so the first node carries what is known of the whole loop.
      BodyWork& work = std::get<Body>(result.body.front().is).work;
      work.recurrence = recurrence_of(kernel_, loop);
      work.paths = store_paths(kernel_, loop);
      work.kept = kept_scalars(loop);
    }
    if (options_.registers && result.role == GpuRole::none) hoist_invariants(result);
    for (StreamNode& node : result.before) {
      std::erase_if(std::get<Body>(node.is).refs,
                    [&](const StreamRef& ref) { return ref.kind == Kind::load && scope.known.contains(ref); });
    }
    std::erase_if(result.before, [](const StreamNode& node) {
      const Body& body = std::get<Body>(node.is);
      return body.refs.empty() && body.defines.empty();
    });
    for (const auto* part : {&result.before, &result.body, &result.after}) forget_effects(*part, scope);
    if (surely_runs(result)) {
      for (const auto* hoisted : {&result.before, &result.after}) {
        visit_bodies(*hoisted, [&](const Body& body) {
          for (const StreamRef& ref : body.refs) scope.known.loaded(ref);
        });
      }
    }
    scope.done.push_back({std::move(result)});
  }

  void number_bodies(std::vector<StreamNode>& nodes) {
    for (StreamNode& node : nodes) {
      if (auto* body = std::get_if<Body>(&node.is)) body->id = static_cast<std::uint32_t>(program_.bodies++);
      if (auto* guard = std::get_if<StreamGuard>(&node.is)) number_bodies(guard->body);
      if (auto* loop = std::get_if<StreamLoop>(&node.is)) {
        number_bodies(loop->before);
        number_bodies(loop->body);
        number_bodies(loop->after);
      }
    }
  }

  const Kernel& kernel_;
  const LowerOptions& options_;
  Program program_;
  std::vector<std::optional<std::uint16_t>> tables_;  ///< per array: its index in program_.tables
  std::vector<std::pair<Slot, Slot>> renames_;
  std::vector<std::uint32_t> definitions_;  ///< per slot: statements that give it a value (p = next[p] and such)
  std::vector<Slot> loops_;                 ///< enclosing loops, outermost first
  bool named_update_ = false;               ///< some loop is named by `update`, or statements count their updates
  bool guarded_updates_ = false;            ///< inside an innermost loop whose updates are counted by its guards
};

}  // namespace

Program lower(const Kernel& kernel, const LowerOptions& options) { return Lowering(kernel, options).run(); }

}  // namespace mansard
