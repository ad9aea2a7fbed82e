// Checks of option values whose messages people can read.
#pragma once

#include <CLI/Validators.hpp>

#include <string>

namespace assay::cli {

// For numbers, whole or not. CLI11's own PositiveNumber tells the largest double that there is, digit by digit.
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
