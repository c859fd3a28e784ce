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
  enum Kind : std::uint8_t { demand, write_allocate, prefetch, write_back, nontemporal, nontemporal_dirty };
  std::uint64_t packed;  ///< line << 16 | bytes of a non-temporal store << 8 | kind

  static Event of(std::uint64_t line, Kind kind, std::uint32_t bytes = 0) {
    return {line << 16U | std::uint64_t{bytes} << 8U | kind};
  }
  [[nodiscard]] std::uint64_t line() const { return packed >> 16U; }
  [[nodiscard]] std::uint32_t bytes() const { return static_cast<std::uint32_t>(packed >> 8U & 0xffU); }
  [[nodiscard]] Kind kind() const { return static_cast<Kind>(packed & 0xffU); }
  [[nodiscard]] bool is_fetch() const { return kind() <= prefetch; }
  [[nodiscard]] Event moved(std::int64_t lines) const { return {packed + (static_cast<std::uint64_t>(lines) << 16U)}; }
};

class Tape {
 public:
  struct Node {
    std::size_t begin, end;  ///< events [begin, end), or with times > 0 the earlier nodes [begin, end) …
    std::uint64_t times;     ///< … again so many times …
    std::int64_t lines;      ///< … the i-th moved by i * lines
  };

  void push(Event event) {
    if (size_ == events_.size()) [[unlikely]]
      events_.resize(std::max<std::size_t>(1024, 2 * size_));
    events_[size_++] = event;
  }
  /// Ends the present run of events; nodes pushed later start here.
  std::size_t mark() {
    if (size_ > written_) nodes_.push_back({written_, size_, 0, 0});
    written_ = size_;
    return nodes_.size();
  }
  void repeat(std::size_t begin, std::size_t end, std::uint64_t times, std::int64_t lines) {
    nodes_.push_back({begin, end, times, lines});
  }
  void clear() {
    size_ = 0;
    nodes_.clear();
    written_ = 0;
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
  std::size_t written_ = 0;  ///< events that belong to a node
};

}  // namespace mansard
