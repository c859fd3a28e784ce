#include "schedule/affine/isl.hpp"

#include <isl/options.h>

namespace mansard {
namespace {
constexpr unsigned long most_operations = 60'000'000;  // isl does about two million a second
}

IslContext::IslContext() : context_(isl_ctx_alloc()) {
  isl_ctx_set_max_operations(context_, most_operations);
  isl_options_set_on_error(context_, ISL_ON_ERROR_CONTINUE);
  isl_options_set_ast_build_allow_else(context_, 0);
}

IslContext::~IslContext() { isl_ctx_free(context_); }

}  // namespace mansard
