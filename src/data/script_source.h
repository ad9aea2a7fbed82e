// Inputs that a user's Python function produces.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "data/input_source.h"
#include "worker/limits.h"

namespace assay::data {

struct Script {
  std::filesystem::path path;
  std::string function;
};

// Parses "FILE.py" or "FILE.py:function".
Script parse_script(std::string_view text, std::string_view default_function);

struct ScriptOptions {
  Script script;  // what its function takes and returns is described where it is used
  std::string python = "python3";
  worker::Limits limits;
};

// Runs the function, which takes nothing and returns an iterable of dictionaries, name to array, to its end in a
// separate process. Stores the iterations in a temporary folder, which lives as long as the source. The script's output
// goes to the log. Errors: not_found for the script and for Python; invalid_input with the end of the traceback if the
// script raises, or if its result is invalid; interrupted.
base::Expected<std::unique_ptr<InputSource>> script_inputs(const ScriptOptions& options, const base::Stop& stop,
                                                           base::Log& log);

}  // namespace assay::data
