// Messages about command lines that can't be run, with what the user may have meant. Each function prints one, also
// sets Streams::error, and returns the exit status.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Error.hpp>

#include <string>
#include <string_view>

#include "cli/context/streams.h"

namespace assay::cli {

int usage_error(const Streams& streams, std::string_view message);
// `noun`: may be empty.
int unknown_command(const Streams& streams, const std::string& tool, const std::string& noun);
// Like Polygraphy, returns another status for unknown options than for other mistakes, except in a check.
int parse_error(const Streams& streams, const CLI::App& app, const CLI::ParseError& error);

}  // namespace assay::cli
