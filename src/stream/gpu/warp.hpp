// A warp: threads that execute one instruction together. It runs a launch's thread code with a mask of active lanes and
// hands out one memory instruction at a time, coalesced.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "stream/gpu/coalesce.hpp"
#include "stream/gpu/launch.hpp"

namespace mansard {

/// One memory instruction of a warp.
struct WarpAccess {
  const StreamRef* ref = nullptr;
  const Coalesced* what = nullptr;  ///< none of shared memory where that is not asked for
  Int line = 0;                     ///< number of the line that what->lines count from
};

/// How often each body ran, by Body::id.
struct WarpWork {
  std::vector<std::uint64_t> warps, lanes;
};

/// What all warps of a launch share: which values differ between lanes, and what coalescing came to before.
class WarpCode {
 public:
  WarpCode(const Program& program, const Launch& launch, std::uint32_t width, const LanePath& path);

  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] const Launch& launch() const { return launch_; }
  [[nodiscard]] std::uint32_t width() const { return width_; }
  [[nodiscard]] std::uint32_t warps_per_block() const { return static_cast<std::uint32_t>(shapes_.size()); }
  [[nodiscard]] bool has_barriers() const { return barriers_; }
  [[nodiscard]] bool is_irregular() const { return irregular_; }  ///< lanes are looked at one by one for some accesses

 private:
  friend class Warp;
  using Coordinates = std::array<std::vector<Int>, 3>;  ///< [axis][lane]: of the thread, relative to lane 0's

  /// Warp w of a block.
  struct Shape {
    std::array<Int, 3> first{};  ///< coordinates of lane 0
    std::uint64_t lanes = 0;     ///< threads that exist
    std::size_t relative = 0;    ///< index into relatives_
    std::array<Int, 3> most{};   ///< of the coordinates relative to lane 0
  };
  /// A floor in a reference's address.
  struct FloorCode {
    std::vector<Int> least, most;  ///< [relative] of what is inside in any lane, over lane 0's
    Int step = 0;                  ///< its value when last looked at, which is the same for
    Int from = 0;                  ///< what is inside from here on, up to the divisor: dividing takes long
  };
  /// How a reference's address follows from the lanes'.
  struct RefCode {
    bool affine = false;  ///< in the threads' coordinates, as long as no floor steps within the warp
    std::vector<FloorCode> floors;
    std::array<Int, 3> per_thread{};                            ///< bytes from a thread to the next along each axis
    std::vector<std::vector<std::unique_ptr<Coalesced>>> full;  ///< [relative][address within a period]
    std::map<std::array<std::uint64_t, 3>, std::unique_ptr<Coalesced>> masked;  ///< by mask, relative, address
  };

  void scan(std::span<const StreamNode> nodes);
  void scan(const Body& body);
  [[nodiscard]] bool varies(const Quasi& q) const;
  [[nodiscard]] bool is_affine(const Quasi& q) const;
  [[nodiscard]] FloorCode floor_code(const Floor& floor) const;
  [[nodiscard]] std::array<Int, 3> growth(const Quasi& q) const;  ///< from a thread to the next along each axis
  const Coalesced& pattern(RefCode& code, const StreamRef& ref, const Shape& shape, std::uint64_t mask, Int within);
  [[nodiscard]] bool is_shared(const StreamRef& ref) const { return program_.regions[ref.array].shared; }

  const Program& program_;
  const Launch& launch_;
  std::uint32_t width_;
  LanePath path_;
  Int period_;  ///< bytes: instructions that differ by a multiple touch lines and banks alike
  bool barriers_ = false, irregular_ = false;
  std::vector<Shape> shapes_;           ///< [warp of a block]
  std::vector<Coordinates> relatives_;  ///< distinct ones
  std::array<Slot, 3> thread_slot_{};
  std::array<Int, 3> thread_step_{};
  std::vector<bool> lane_slot_;             ///< slots with a value for each lane (index reads, bounds that differ)
  std::vector<bool> thread_slot_varies_;    ///< thread slots that differ within a warp
  std::vector<std::uint8_t> per_lane_;      ///< [slot] one of the two
  bool looks_at_lanes_ = false;             ///< does anything need the values of single lanes?
  CoalesceMemo memo_;                       ///< of instructions that are not in the tables
  std::vector<std::vector<RefCode>> refs_;  ///< [Body::id][reference]
};

class Warp {
 public:
  Warp(WarpCode& code, WarpWork& work) : code_(code), work_(work) {}

  /// Warp `index` of the block whose loops' slots are set in the environment.
  void start(std::uint32_t index, std::span<const Int> environment);

  /// The next memory instruction; false at the end. Valid until the next call. What it comes to in shared memory takes
  /// time to find out, and does not matter where caches alone are looked at.
  bool next(WarpAccess& access, bool with_shared = true);

  /// Is it at a barrier, where the warps of a block wait for each other? next() goes on behind it.
  [[nodiscard]] bool at_barrier() const { return at_barrier_; }

 private:
  struct Frame {
    std::span<const StreamNode> nodes;
    std::size_t at = 0;
    const StreamLoop* loop = nullptr;
    enum class Phase : std::uint8_t { once, before, body, after, together } phase = Phase::once;
    std::uint64_t outer = 0;    ///< mask around
    std::uint64_t entered = 0;  ///< lanes that run the loop at all
    std::uint64_t n = 0, count = 0;
    Int first = 0;                ///< of a loop that all lanes run alike
    std::vector<Int> lane_first;  ///< of one that they do not; else empty
    std::vector<std::uint64_t> lane_count;
    std::vector<const StreamLoop*> nested;  ///< of copying together: the loops, outermost first
  };

  bool step();
  void enter(const StreamLoop& loop);
  void enter_together(const StreamLoop& loop);
  void leave_nodes(Frame& frame);
  void deal_out(const Frame& frame, std::uint64_t first);
  void begin_iteration(Frame& frame);
  void enter(const StreamGuard& guard);
  void begin(const Body& body);
  void push(std::span<const StreamNode> nodes, std::uint64_t mask);
  Frame& frame() { return frames_[depth_ - 1]; }
  bool flat_address(const StreamRef& ref, WarpCode::RefCode& code, Int& address) const;
  using Lanes = std::array<Int, 64>;
  /// Values in all lanes; of those that are not active they mean nothing.
  void evaluate(const Quasi& q, Lanes& values) const;
  template <class Tighter>
  void bound(const std::vector<Quasi>& bounds, Lanes& values, const Tighter& tighter) const;
  [[nodiscard]] std::uint64_t inside(const StreamGuard& guard);
  void add_floor(const Floor& floor, Lanes& values) const;
  void define(const StreamDefine& define);

  WarpCode& code_;
  WarpWork& work_;
  const WarpCode::Shape* shape_ = nullptr;
  std::uint32_t index_ = 0;
  std::vector<Int> environment_;         ///< of lane 0 where lanes differ
  std::vector<std::vector<Int>> lanes_;  ///< [slot] values of each lane, for lane slots and thread slots
  std::vector<Frame> frames_;
  std::size_t depth_ = 0;
  std::uint64_t mask_ = 0;
  const Body* body_ = nullptr;
  std::size_t ref_ = 0;
  bool at_barrier_ = false;
  std::vector<Int> scratch_;
  std::vector<std::uint64_t> iterations_;
};

}  // namespace mansard
