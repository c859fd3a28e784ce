// The walker's batches (runs, gathers, rows that go on in the next one) against the program's definition.
#include <rapidcheck.h>

#include "property/holds.hpp"
#include "property/random_hierarchy.hpp"
#include "property/random_nest.hpp"
#include "property/rapidcheck_draw.hpp"
#include "support/catch.hpp"
#include "support/elements.hpp"
#include "support/interpret_program.hpp"

using namespace mansard;
using namespace mansard::property;

TEST_CASE("what the walker hands out is what the program says, access by access") {
  CHECK(holds(
      "the walker's accesses are the program's, in order",
      [] {
        RapidcheckDraw draw;
        const Geometry geometry = random_geometry(draw);
        const Program program = random_program(draw, geometry);
        RC_LOG() << program;
        RC_ASSERT(elements_of(program) == ProgramInterpreter(program).run());
      },
      5));
}
