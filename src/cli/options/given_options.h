// Finds the options that the user has given, for errors and warnings about them.
#pragma once

#include <CLI/Option.hpp>

#include <span>
#include <string>
#include <string_view>

#include "base/log.h"

namespace assay::cli {

// Returns the first of the spellings of an option, which stand between commas: "--inputs" for
// "--inputs,--input-shapes".
std::string first_spelling(std::string_view spellings);

// Returns the name of the first of these options that the command line has, or an empty string.
std::string first_given(std::span<const CLI::Option* const> options);

// Warns of each of these options that the command line has. `reason` follows "has no effect".
void warn_of_given(std::span<const CLI::Option* const> options, std::string_view reason, base::Log& log);

}  // namespace assay::cli
