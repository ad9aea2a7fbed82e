// Validators for option values with readable messages.
#pragma once

#include <CLI/Validators.hpp>

#include <string>

namespace assay::cli {

// Accepts numbers above 0, whole or not. CLI11's PositiveNumber would print the largest double in full in its error.
inline CLI::Validator above_zero() {
  return CLI::Validator(
      [](std::string& text) {
        double value = 0;
        return CLI::detail::lexical_cast(text, value) && value > 0 ? std::string()
                                                                   : "'" + text + "' is not a number above 0";
      },
      "POSITIVE");
}

}  // namespace assay::cli
