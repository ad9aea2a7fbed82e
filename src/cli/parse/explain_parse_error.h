// Rewords CLI11's errors about command lines that it can't parse.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Error.hpp>

#include <string>

namespace assay::cli {

// Returns the error's message as a sentence: "--slots must be a whole number, but is x".
std::string explain_parse_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace assay::cli
