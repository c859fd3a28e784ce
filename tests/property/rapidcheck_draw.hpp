// Choices made by rapidcheck, inside a property: printed and shrunk when a case fails.
#pragma once

#include <rapidcheck.h>

#include "property/draw.hpp"

namespace mansard::property {

class RapidcheckDraw final : public Draw {
  /// Over the whole range from the first case on: cases are small anyway.
  Int integer(Int low, Int high) override {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<Int>(low, high + 1));
  }
};

}  // namespace mansard::property
