// Inputs that a user's Python function makes.
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

// "FILE.py" or "FILE.py:function".
Script parse_script(std::string_view text, std::string_view default_function);

struct ScriptOptions {
  Script script;  // the function takes nothing and gives an iterable (a generator, say) of dictionaries, name to array
  std::string python = "python3";
  worker::Limits limits;
};

// Runs the function to its end, in a process of its own, and keeps the iterations in a temporary folder that lives as
// long as the source. What the script prints goes to the log. Errors: not_found for the script and for Python;
// invalid_input with the end of the traceback where the script raises, or where what it gives makes no sense;
// interrupted.
base::Expected<std::unique_ptr<InputSource>> script_inputs(const ScriptOptions& options, const base::Stop& stop,
                                                           base::Log& log);

}  // namespace assay::data
