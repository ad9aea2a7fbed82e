// What is said behind the flag of one runner: --onnxrt=old:lib=/opt/old/libonnxruntime.so,threads=1
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/error.h"
#include "cli/options/engine_table.h"

namespace assay::cli {

struct RunnerSettings {
  std::string library;                         // empty: nothing is said
  std::map<std::string, std::string> options;  // of the worker
};

struct NamedSettings {
  std::string name;
  RunnerSettings settings;
};

// "NAME", "NAME:SETTING=VALUE,SETTING=VALUE" or ":SETTING=VALUE". A part without '=' belongs to the value before it, so
// that values may hold commas. Names are letters, digits, '.', '_' and '-'. Errors: invalid_input, with the settings
// that the engine has.
base::Expected<NamedSettings> parse_runner(std::string_view text, const EngineRow& row);

}  // namespace assay::cli
