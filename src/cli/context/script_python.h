// The Python in which the user's scripts run and LPIPS is measured: one for all of them.
#pragma once

#include <CLI/App.hpp>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "cli/context/command.h"

namespace assay::cli {

inline constexpr auto kPythonInterpreter = "--python-interpreter";

// Returns the value of --python-interpreter, the first if several runners have one each; empty if it wasn't given or if
// the command doesn't have it. Call it after parsing.
std::string named_python(const CLI::App& app);

// Returns whether the options ask for Python besides that of engines. Call it after parsing.
bool needs_script_python(const CLI::App& app);

// Returns the interpreter that was named, or else the default of backend::find_python(). Errors: not_found.
base::Expected<std::filesystem::path> script_python(const Context& context);

}  // namespace assay::cli
