// A check for options that name a file to write: "-" stands for standard output in some programs and in `assay
// template`, so a file of this name would surprise the user.
#pragma once

#include <CLI/Validators.hpp>

#include <string>

namespace assay::cli {

inline CLI::Validator no_standard_output() {
  return CLI::Validator(
      [](std::string& path) {
        return path == "-" ? "must be a file, since this command can't write to standard output; ./- is a file called -"
                           : std::string();
      },
      "");
}

}  // namespace assay::cli
