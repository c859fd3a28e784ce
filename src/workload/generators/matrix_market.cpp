#include "input/matrix_market.hpp"

#include "workload/data/generator.hpp"

namespace mansard::generators {
namespace {

Sparsity make(GeneratorArguments& arguments) {
  if (arguments.node().type != YamlNode::Type::scalar) {
    arguments.mistake("expected the path of a Matrix Market file");
    return {};
  }
  const SparseMatrix matrix = read_matrix_market(arguments.file());
  if (!arguments.fits(matrix.nonZeros())) return {};
  const std::int32_t* const row = matrix.outerIndexPtr();
  const std::int32_t* const col = matrix.innerIndexPtr();
  return {matrix.rows(), matrix.cols(), {row, row + matrix.rows() + 1}, {col, col + matrix.nonZeros()}};
}

}  // namespace

extern const Generator matrix_market;
const Generator matrix_market{"matrix_market", "PATH: a Matrix Market file, relative to the workload file", make};

}  // namespace mansard::generators
