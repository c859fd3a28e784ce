// The C subset of docs/workloads.md: text to syntax tree.
#pragma once

#include "workload/language/ast.hpp"

namespace mansard {

/// InputError with the mistakes of the whole text, the first of each statement. Texts over 1 MiB, expressions deeper
/// than 1000 and brackets or blocks nested deeper than 200 are refused.
ast::Unit parse_code(const SourceText& source);

/// One expression and nothing else, as used for parameters ("2*N+1"). InputError as above.
ast::Expression parse_expression(const SourceText& source);

}  // namespace mansard
