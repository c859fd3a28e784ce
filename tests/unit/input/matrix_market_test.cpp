#include "input/matrix_market.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "input/diagnostic.hpp"
#include "support/catch.hpp"

using namespace mansard;

namespace {

/// A file that lives as long as the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() / ("mansard-mm-" + std::to_string(getpid()) + ".mtx")) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// "row,column=value …" in storage order, rows and columns from 1.
std::string entries(const std::string& kind, const std::string& body) {
  const TemporaryFile file("%%MatrixMarket matrix " + kind + "\n" + body);
  const SparseMatrix matrix = read_matrix_market(file.path());
  std::string text;
  for (Eigen::Index row = 0; row < matrix.outerSize(); ++row) {
    for (SparseMatrix::InnerIterator at(matrix, row); at; ++at) {
      text += std::to_string(at.row() + 1) + "," + std::to_string(at.col() + 1) + "=" +
              std::to_string(static_cast<int>(at.value())) + " ";
    }
  }
  return text;
}

/// "line:column: message" of a file that is refused.
std::string refusal(const std::string& text) {
  const TemporaryFile file(text);
  try {
    read_matrix_market(file.path());
  } catch (const InputError& wrong) {
    return std::string(wrong.what()).substr(file.path().string().size() + 1);
  }
  return "accepted";
}
std::string refusal(const std::string& kind, const std::string& body) {
  return refusal("%%MatrixMarket matrix " + kind + "\n" + body);
}

}  // namespace

TEST_CASE("coordinate files of every field") {
  const std::string places = "% comment\n\n2 3 2\n";
  CHECK(entries("coordinate real general", places + "2 3 5.0\n1 1 -2e0\n") == "1,1=-2 2,3=5 ");
  CHECK(entries("coordinate integer general", places + "2 3 5\n1 1 -2\n") == "1,1=-2 2,3=5 ");
  CHECK(entries("coordinate complex general", places + "2 3 3 -4\n1 1 0 2\n") == "1,1=2 2,3=5 ");
  CHECK(entries("coordinate pattern general", places + "2 3\n1 1\n") == "1,1=1 2,3=1 ");
}

TEST_CASE("coordinate files of every symmetry are expanded") {
  CHECK(entries("coordinate real symmetric", "2 2 2\n1 1 3\n2 1 4\n") == "1,1=3 1,2=4 2,1=4 ");
  CHECK(entries("coordinate integer symmetric", "2 2 2\n1 1 3\n2 1 4\n") == "1,1=3 1,2=4 2,1=4 ");
  CHECK(entries("coordinate pattern symmetric", "2 2 2\n1 1\n2 1\n") == "1,1=1 1,2=1 2,1=1 ");
  CHECK(entries("coordinate complex symmetric", "2 2 1\n2 1 3 4\n") == "1,2=5 2,1=5 ");
  CHECK(entries("coordinate real skew-symmetric", "2 2 1\n2 1 4\n") == "1,2=-4 2,1=4 ");
  CHECK(entries("coordinate integer skew-symmetric", "2 2 1\n2 1 4\n") == "1,2=-4 2,1=4 ");
  CHECK(entries("coordinate complex skew-symmetric", "2 2 1\n2 1 3 4\n") == "1,2=5 2,1=5 ");
  CHECK(entries("coordinate complex hermitian", "2 2 2\n1 1 7 0\n2 1 3 4\n") == "1,1=7 1,2=5 2,1=5 ");
}

TEST_CASE("array files are stored column by column") {
  CHECK(entries("array real general", "2 3\n1\n2\n3\n4\n5\n6\n") == "1,1=1 1,2=3 1,3=5 2,1=2 2,2=4 2,3=6 ");
  CHECK(entries("array integer general", "1 2\n1\n2\n") == "1,1=1 1,2=2 ");
  CHECK(entries("array complex general", "1 1\n3 4\n") == "1,1=5 ");
  CHECK(entries("array real symmetric", "2 2\n1\n2\n3\n") == "1,1=1 1,2=2 2,1=2 2,2=3 ");
  CHECK(entries("array integer symmetric", "3 3\n1\n2\n3\n4\n5\n6\n") ==
        "1,1=1 1,2=2 1,3=3 2,1=2 2,2=4 2,3=5 3,1=3 3,2=5 3,3=6 ");
  CHECK(entries("array complex symmetric", "1 1\n3 4\n") == "1,1=5 ");
  CHECK(entries("array real skew-symmetric", "3 3\n1\n2\n3\n") == "1,2=-1 1,3=-2 2,1=1 2,3=-3 3,1=2 3,2=3 ");
  CHECK(entries("array integer skew-symmetric", "2 2\n7\n") == "1,2=-7 2,1=7 ");
  CHECK(entries("array complex skew-symmetric", "2 2\n3 4\n") == "1,2=5 2,1=5 ");
  CHECK(entries("array complex hermitian", "2 2\n1 0\n3 4\n2 0\n") == "1,1=1 1,2=5 2,1=5 2,2=2 ");
}

TEST_CASE("duplicates are summed, zeros stay, case and line ends do not matter") {
  CHECK(entries("coordinate real general", "2 2 3\n1 1 2\n1 1 3\n2 2 0\n") == "1,1=5 2,2=0 ");
  CHECK(entries("COORDINATE Real General", "1 1 1\r\n1\t1  +2\r\n\r\n% end") == "1,1=2 ");
  CHECK(entries("coordinate real general", "3 3 0\n") == "");
}

TEST_CASE("files that are refused, with the line") {
  CHECK(refusal("").find("not a Matrix Market file") != std::string::npos);
  CHECK(refusal("1 1 1\n").find("1: not a Matrix Market file") == 0);
  CHECK(refusal("%%MatrixMarket vector coordinate real general\n").find("1:16: expected one of matrix") == 0);
  CHECK(refusal("coordinate rael general", "")
            .find("1:34: expected one of real, integer, complex, pattern, "
                  "found 'rael' (did you mean 'real'?)") == 0);
  CHECK(refusal("array pattern general", "1 1\n").find("1:29: an array of nothing") == 0);
  CHECK(refusal("coordinate pattern skew-symmetric", "1 1 0\n").find("1:42: a pattern has no signs") == 0);
  CHECK(refusal("coordinate real hermitian", "1 1 0\n").find("1:39: hermitian makes sense only") == 0);
  CHECK(refusal("coordinate real general", "% only\n").find("2: the file ends before the line with the sizes") == 0);
  CHECK(refusal("coordinate real general", "2 2\n") == "2: expected rows, columns and the number of entries");
  CHECK(refusal("array real general", "2 2 4\n") == "2: expected rows and columns");
  CHECK(refusal("coordinate real general", "0 2 0\n").find("2:1: rows '0': expected a whole number from 1 to") == 0);
  CHECK(refusal("coordinate real general", "2 -2 0\n").find("2:3: columns '-2'") == 0);
  CHECK(refusal("coordinate real general", "2 x 0\n").find("2:3: columns 'x'") == 0);
  CHECK(refusal("coordinate real general", "2 2 2\n1 1 1\n") == "3: the file ends after 1 of 2 entries");
  CHECK(refusal("coordinate real general", "2 2 1\n1 1 1\n2 2 1\n").find("4: more than the 1 entries") == 0);
  CHECK(refusal("coordinate real general", "2 2 1\n3 1 1\n") == "3:1: row '3': expected a whole number from 1 to 2");
  CHECK(refusal("coordinate real general", "2 2 1\n1 0 1\n") == "3:3: column '0': expected a whole number from 1 to 2");
  CHECK(refusal("coordinate real general", "2 2 1\n1 1 1x\n").find("3:5: '1x': unexpected 'x'") == 0);
  CHECK(refusal("coordinate real general", "2 2 1\n1 1 nan\n").find("3:5: 'nan': not a finite number") == 0);
  CHECK(refusal("coordinate real general", "2 2 1\n1 1 1e999\n").find("3:5: '1e999': number out of range") == 0);
  CHECK(refusal("coordinate integer general", "2 2 1\n1 1 1.5\n").find("3:5: value '1.5'") == 0);
  CHECK(refusal("coordinate real general", "2 2 1\n1 1\n") == "3: expected 3 numbers in a line, found 2");
  CHECK(refusal("coordinate pattern general", "2 2 1\n1 1 1\n") == "3: expected 2 numbers in a line, found 3");
  CHECK(refusal("coordinate real symmetric", "2 3 0\n") == "2: a matrix with symmetry must be square");
  CHECK(refusal("coordinate real symmetric", "2 2 1\n1 2 1\n").find("3: an entry above the diagonal") == 0);
  CHECK(refusal("coordinate real skew-symmetric", "2 2 1\n1 1 1\n").find("3: an entry on the diagonal") == 0);
  CHECK(refusal("coordinate real general", std::string(5000, '%')).find("2: a line of more than 4096") == 0);
}

TEST_CASE("absurd sizes are refused before memory is used") {
  CHECK(refusal("coordinate real general", "9 9 2000000000\n").find("2: 2000000000 entries do not fit into a file") ==
        0);
  CHECK(refusal("coordinate real general", "9 9 99999999999\n").find("2:5: entries '99999999999'") == 0);
  CHECK(refusal("coordinate real symmetric", "9 9 2000000000\n") == "2: more than 2^31 entries");
  CHECK(refusal("array real general", "2147483647 2147483647\n") == "2: more than 2^31 entries");
  CHECK(refusal("array real symmetric", "2147483647 2147483647\n") == "2: more than 2^31 entries");
  CHECK(refusal("array real skew-symmetric", "2147483646 2147483646\n") == "2: more than 2^31 entries");
  CHECK(refusal("coordinate real general", "2147483647 1 0\n").find("2: 2147483647 rows for 0 entries") == 0);
  CHECK_THROWS_AS(read_matrix_market("/no/such.mtx"), InputError);
}
