// Names options in errors as the user has spelled them: many have a second spelling, and messages know only one.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

#include "base/error.h"

namespace assay::cli {

// Replaces the other spellings of options that the words of the command line have. `words`: those that the parser of
// `app` has read.
base::Error name_as_given(base::Error error, const CLI::App& app, const std::vector<std::string>& words);

}  // namespace assay::cli
