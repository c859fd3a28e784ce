// A rapidcheck property as something that a Catch2 test can CHECK.
#pragma once

#include <rapidcheck.h>

#include <iostream>
#include <string>

namespace mansard::property {

/// `times` rapidcheck's usual number of cases; RC_PARAMS still scales it.
template <class Property>
bool holds(const std::string& description, Property property, int times = 40) {
  rc::detail::TestMetadata metadata{.id = description, .description = description};
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess *= times;
  const auto result = rc::detail::checkTestable(property, metadata, params);
  rc::detail::SuccessResult success;
  if (!result.match(success)) {
    rc::detail::printResultMessage(result, std::cerr);
    return false;
  }
  std::cout << success.numSuccess << " cases: " << description << '\n';  // scripts/prove adds them up
  return true;
}

}  // namespace mansard::property
