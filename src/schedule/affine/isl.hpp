// isl with a limit on its work. isl's C++ interface throws isl::exception; `IslContext::guarded` turns what trips into
// an InputError, so nothing of isl leaves this folder.
#pragma once

#include <isl/cpp.h>

#include <string>
#include <utility>

#include "input/diagnostic.hpp"

namespace mansard {

class IslContext {
 public:
  IslContext();
  ~IslContext();
  IslContext(const IslContext&) = delete;
  IslContext& operator=(const IslContext&) = delete;
  [[nodiscard]] isl::ctx get() const { return isl::ctx(context_); }

 private:
  isl_ctx* context_;
};

/// Runs work(isl::ctx) and returns its result. A text or a set that is too much for isl is the user's mistake.
template <class Work>
auto with_isl(const Position& at, const Work& work) {
  const IslContext context;
  try {
    return work(context.get());
  } catch (const isl::exception_quota&) {
    throw InputError(at, "the dependences or loops of this nest are too complex to be worked out");
  } catch (const isl::exception& error) {
    throw InputError(at, std::string("this nest cannot be transformed: isl says '") + error.what() + "'");
  }
}

}  // namespace mansard
