// Parses the settings in the flag of one runner: --onnxrt=old:lib=/opt/old/libonnxruntime.so,threads=1
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "backend/engine_table.h"
#include "base/error.h"

namespace assay::cli {

struct RunnerSettings {
  std::string library;                         // empty: not given
  std::map<std::string, std::string> options;  // the worker's options
};

struct NamedSettings {
  std::string name;
  RunnerSettings settings;
};

// Parses "NAME", "NAME:SETTING=VALUE,SETTING=VALUE" or ":SETTING=VALUE". Values may contain commas: a part without '='
// belongs to the value before it. Names consist of letters, digits, '.', '_' and '-'. Errors: invalid_input, listing
// the engine's settings.
base::Expected<NamedSettings> parse_runner(std::string_view text, const backend::EngineRow& row);

}  // namespace assay::cli
