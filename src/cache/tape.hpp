// What crosses from one stage of the hierarchy to the next: events in order, and "that again, so many times, moved by
// so many lines". The next stage may replay a repetition, or prove that it repeats as well and hand it on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace mansard {

/// A line that is asked for or handed down.
struct Event {
  /// The bits say what a cache does with the event, so that its loop needs no branch for it.
  enum Bit : std::uint8_t { is_store = 1, makes_dirty = 2, fetches_not = 4, passes_caches = 8, is_prefetch = 16 };
  enum Kind : std::uint8_t {
    demand = 0,                      ///< a load, or the fetch that it caused
    write_allocate = is_store,       ///< the fetch that a store caused
    store = is_store | makes_dirty,  ///< at the first cache
    prefetch = is_prefetch,          ///< a fetch that nobody asked for
    write_back = makes_dirty | fetches_not,
    nontemporal = passes_caches | fetches_not,
    nontemporal_dirty = nontemporal | makes_dirty  ///< with a dirty line merged in
  };
  std::uint64_t packed;  ///< line << 16 | bytes of a store << 8 | kind

  static Event of(std::uint64_t line, Kind kind, std::uint32_t bytes = 0) {
    return {line << 16U | std::uint64_t{bytes} << 8U | kind};
  }
  [[nodiscard]] std::uint64_t line() const { return packed >> 16U; }
  [[nodiscard]] std::uint32_t bytes() const { return static_cast<std::uint32_t>(packed >> 8U & 0xffU); }
  /// What is asked of the next level when it misses.
  static Event fetch(Event event) { return {event.packed & ~std::uint64_t{0xffffU ^ is_store ^ is_prefetch}}; }
  [[nodiscard]] bool has(Bit bit) const { return (packed & bit) != 0; }
  [[nodiscard]] Kind kind() const { return static_cast<Kind>(packed & 0xffU); }
  [[nodiscard]] bool is_fetch() const { return (packed & (makes_dirty | fetches_not)) == 0; }
  [[nodiscard]] Event moved(std::int64_t lines) const { return {packed + (static_cast<std::uint64_t>(lines) << 16U)}; }
};

class Tape {
 public:
  struct Node {
    std::size_t begin, end;                ///< events [begin, end), or with times > 0 the earlier nodes [begin, end) …
    std::uint64_t times;                   ///< … again so many times …
    std::int64_t lines;                    ///< … the i-th moved by i * lines
    std::uint64_t demand, write_allocate;  ///< events that ask for a line
  };

  void push(Event event) {
    *room(1) = event;
    ++size_;
    if (!event.has(Event::fetches_not) && !event.has(Event::is_prefetch))
      asked(event.has(Event::is_store) ? 0 : 1, event.has(Event::is_store) ? 1 : 0);
  }
  /// Where to write up to `count` events; `wrote` tells where they end.
  Event* room(std::size_t count) {
    if (size_ + count > events_.size()) [[unlikely]]
      events_.resize(std::max(size_ + count, std::max<std::size_t>(1024, 2 * size_)));
    return events_.data() + size_;
  }
  /// So many events that were written through `room` ask for a line.
  void asked(std::uint64_t demand, std::uint64_t write_allocate) {
    demand_ += demand;
    write_allocate_ += write_allocate;
  }
  void wrote(const Event* end) { size_ = static_cast<std::size_t>(end - events_.data()); }
  [[nodiscard]] std::span<const Event> events_from(std::size_t first) const {
    return std::span(events_).subspan(first, size_ - first);
  }
  /// Ends the present run of events; nodes pushed later start here.
  std::size_t mark() {
    if (size_ > written_) nodes_.push_back({written_, size_, 0, 0, demand_, write_allocate_});
    written_ = size_;
    demand_ = write_allocate_ = 0;
    return nodes_.size();
  }
  void repeat(std::size_t begin, std::size_t end, std::uint64_t times, std::int64_t lines) {
    nodes_.push_back({begin, end, times, lines, 0, 0});
  }
  /// The events held come from gathers, among others.
  void note_gathered() { gathered_ = true; }
  [[nodiscard]] bool gathered() const { return gathered_; }
  void clear() {
    size_ = 0;
    gathered_ = false;
    nodes_.clear();
    written_ = 0;
    demand_ = write_allocate_ = 0;
  }

  [[nodiscard]] const Node& node(std::size_t n) const { return nodes_[n]; }
  [[nodiscard]] std::span<const Event> events(const Node& node) const {
    return std::span(events_).subspan(node.begin, node.end - node.begin);
  }
  [[nodiscard]] std::size_t size() const { return size_; }  ///< events held

 private:
  std::vector<Event> events_;  // the first size_ of them count: growing by hand keeps push() small
  std::size_t size_ = 0;
  std::vector<Node> nodes_;
  bool gathered_ = false;
  std::size_t written_ = 0;                        ///< events that belong to a node
  std::uint64_t demand_ = 0, write_allocate_ = 0;  ///< of those that do not yet
};

}  // namespace mansard
