// Write-combining buffers: where a core gathers the non-temporal stores of a line until it can write the line at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace mansard {

/// A buffer is written, as one line, when as many bytes were stored to it as a line has, or when another line needs a
/// buffer and it is the one that has been open for longest.
class CombiningBuffers {
 public:
  CombiningBuffers(std::size_t buffers, std::uint64_t line_bytes) : most_(buffers), line_bytes_(line_bytes) {}

  /// Calls write(line) for every line that goes to memory.
  template <class Write>
  void store(std::uint64_t line, std::uint64_t bytes, const Write& write) {
    auto open = std::ranges::find(open_, line, &Buffer::line);
    if (open == open_.end()) {
      if (open_.size() == most_) {
        write(open_.front().line);
        open_.erase(open_.begin());
      }
      open_.push_back({line, 0});
      open = open_.end() - 1;
    }
    open->bytes += bytes;
    if (open->bytes < line_bytes_) return;
    write(line);
    open_.erase(open);
  }

  /// Writes what is open.
  template <class Write>
  void drain(const Write& write) {
    for (const Buffer& buffer : open_) write(buffer.line);
    open_.clear();
  }

 private:
  struct Buffer {
    std::uint64_t line, bytes;
  };
  std::size_t most_;
  std::uint64_t line_bytes_;
  std::vector<Buffer> open_;  // in the order of opening
};

}  // namespace mansard
