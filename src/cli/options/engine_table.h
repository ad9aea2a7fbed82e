// The engines, one row each: flag, worker, names, and settings as data. CONTRIBUTING.md, "Add a backend", shows a new
// one.
#pragma once

#include <span>
#include <string_view>

#include "backend/find_engines.h"

namespace assay::cli {

// A setting of an engine. On the command line it is an option, for all runners of the engine or, given as often as
// there are such runners, for each; in the settings behind the flag of one runner (--onnxrt=NAME:threads=1) it has a
// short name.
struct EngineSetting {
  enum class Form {
    value,    // one word
    list,     // several words; the engine gets them with commas between them
    entries,  // KEY=VALUE, several; short: NAME.KEY=VALUE
  };
  std::string_view flags;  // as CLI11 has them: "--providers,--execution-providers"
  std::string_view name;   // the short one
  // The worker's option, which the worker checks; kLibrary: the engine's library or interpreter.
  std::string_view key;
  Form form;
  std::string_view help;
};
inline constexpr std::string_view kLibrary = "";

struct EngineRow {
  std::string_view flag;    // "--onnxrt"
  std::string_view value;   // what the flag takes, "FILE"; empty: nothing
  std::string_view kind;    // of the worker: assay-worker-KIND
  std::string_view runner;  // how runners are called: RUNNER-runner-N0-DATE
  std::string_view name;    // for people
  std::string_view help;
  std::span<const EngineSetting> settings;
  // How the library or interpreter is found, given what the user says about it.
  base::Expected<std::filesystem::path> (*find)(const EngineRow& row, const std::string& named,
                                                const backend::EngineSearch& search);
  // The worker's option that gets the path that the flag has as its value, or, for a flag without, this word.
  std::string_view value_key = {};
  std::string_view fixed_value = {};
};

std::span<const EngineRow> engine_rows();

}  // namespace assay::cli
