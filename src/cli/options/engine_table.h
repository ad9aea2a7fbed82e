// The engines, one row each: flag, worker, names and settings. "Add a backend" in CONTRIBUTING.md shows how to add one.
#pragma once

#include <span>
#include <string_view>

#include "backend/find_engines.h"

namespace assay::cli {

// A setting of an engine. As an option it applies to all runners that have it or, given once per such runner, to each
// in order. In the flag of one runner (--onnxrt=NAME:threads=1) it has a short name.
struct EngineSetting {
  enum class Form {
    value,    // one word
    list,     // several words; the engine gets them separated by commas
    entries,  // several KEY=VALUE; in a flag: NAME.KEY=VALUE
  };
  std::string_view flags;  // in CLI11's form: "--providers,--execution-providers"
  std::string_view name;   // the short name
  // The worker's option, whose value the worker checks; kLibrary for the engine's library or interpreter.
  std::string_view key;
  Form form;
  std::string_view help;
};
inline constexpr std::string_view kLibrary = "";

struct EngineRow {
  std::string_view flag;    // "--onnxrt"
  std::string_view value;   // placeholder of the flag's value, "FILE"; empty: takes none
  std::string_view kind;    // of the worker, EngineSpec::kind
  std::string_view runner;  // in names of runners: RUNNER-runner-N0-DATE
  std::string_view name;    // shown to the user
  std::string_view help;
  std::span<const EngineSetting> settings;
  // Finds the library or interpreter; `named` is the path or name that the user gave, or empty.
  base::Expected<std::filesystem::path> (*find)(const EngineRow& row, const std::string& named,
                                                const backend::EngineSearch& search);
  // The worker's option for the flag's value (an absolute path) or, for flags without a value, for `fixed_value`.
  std::string_view value_key = {};
  std::string_view fixed_value = {};
};

std::span<const EngineRow> engine_rows();

}  // namespace assay::cli
