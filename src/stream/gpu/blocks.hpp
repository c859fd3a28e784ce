// Blocks on multiprocessors: which block starts where and when, and in which order warps get their turns. The one place
// that knows the order of a GPU's memory instructions.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "stream/gpu/warp.hpp"

namespace mansard {

/// Within an SM, warps take turns: all of a block advance together, or a random one that is ready.
enum class WarpOrder : std::uint8_t { lockstep, random };

struct BlockOptions {
  std::uint32_t sms = 1;            ///< multiprocessors
  std::uint32_t dies = 1;           ///< SM s is of die s % dies, block b runs on die b % dies
  std::uint32_t blocks_per_sm = 1;  ///< at a time
  WarpOrder order = WarpOrder::lockstep;
  bool with_shared = true;  ///< find out what instructions come to in shared memory as well
  double drift = 8;         ///< memory instructions by which a block may get ahead of or behind an even pace
  std::uint64_t seed = 1;
};

/// Runs blocks [from, to) of a launch, each on the first multiprocessor that is free. Blocks differ in speed by up to
/// 20 %, by their number and the seed: at one speed for all, strict turns put block b + SMs where b was, and invent
/// reuse in the L1 that hardware does not show.
class BlockWalker {
 public:
  using Sink = std::function<void(std::uint32_t sm, const WarpAccess& access)>;

  BlockWalker(WarpCode& code, WarpWork& work, const BlockOptions& options);

  /// `environment`: values of the host loops' slots.
  void begin(const Grid& grid, std::span<const Int> environment, std::uint64_t from, std::uint64_t to);
  /// Every multiprocessor once; false if all blocks are done.
  bool turn(const Sink& sink);

  [[nodiscard]] std::uint64_t started() const { return started_; }    ///< blocks
  [[nodiscard]] std::uint64_t finished() const { return finished_; }  ///< blocks
  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }

 private:
  struct Resident {
    std::vector<Warp> warps;
    std::vector<std::uint8_t> state;  ///< of each warp
    std::uint32_t running = 0;        ///< warps that are neither done nor at a barrier
    std::uint32_t waiting = 0;        ///< at a barrier
    double speed = 1, credit = 0, ahead = 0;
    bool busy = false;
  };
  enum : std::uint8_t { running, waiting, done };

  void start(Resident& block, std::uint32_t sm);
  void advance(Resident& block, std::uint32_t warp, std::uint32_t sm, const Sink& sink);
  void release(Resident& block);
  void lockstep(Resident& block, std::uint32_t sm, const Sink& sink);
  void random(std::uint32_t sm, const Sink& sink);
  std::uint64_t draw();

  WarpCode& code_;
  BlockOptions options_;
  Grid grid_;
  std::vector<Int> environment_;
  std::vector<std::vector<Resident>> sms_;  ///< [sm][resident block]
  std::vector<std::uint64_t> next_;         ///< [die]
  std::uint64_t to_ = 0, started_ = 0, finished_ = 0, instructions_ = 0, draws_ = 0;
};

}  // namespace mansard
