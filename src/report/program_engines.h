// The engines for which programs can be generated, one row each. To add one: a file program_NAME.cc with its settings,
// its parts of the programs in templates/NAME.* (adding its name to CMakeLists.txt embeds them), and a row.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/program_text.h"
#include "report/repro.h"

namespace assay::report {

// How an option of the worker is written on Assay's command line.
struct OptionWord {
  std::string_view key;  // "threads", or a prefix of several options, such as "config."
  std::string_view flag;
  char separator = '\0';  // between several values; '\0': single value
};

struct ProgramEngine {
  std::string_view kind;  // the worker's kind
  std::string_view name;  // for people
  std::string_view flag;  // option of `assay run`
  bool in_polygraphy;     // Polygraphy has this flag, too
  std::span<const OptionWord> words;
  // Returns the constants of both programs, from the worker's options and the model.
  std::vector<Setting> (*settings)(const ReproInput& input);
  // The engine's parts of the programs: imports or includes, then the line COMMON, then the code that runs the model.
  std::string_view python;
  std::string_view cpp;
  std::string_view build;  // CMakeLists.txt
  std::string_view use;    // how to run both, for README.md
};

// Returns all rows. ONNX Runtime, with which other engines are compared, comes first.
std::span<const ProgramEngine> program_engines();
// Returns null if no programs can be generated for the engine.
const ProgramEngine* find_program_engine(std::string_view kind);
// Returns the engine that the programs use; its kind must be one of program_engines().
const ProgramEngine& engine_of(const ReproInput& input);

std::vector<Setting> onnxruntime_settings(const ReproInput& input);
std::vector<Setting> openvino_settings(const ReproInput& input);

// Returns the values of all options "PREFIXkey", by key.
std::map<std::string, std::string> options_below(const Options& options, std::string_view prefix);
// Returns the option's value, or `otherwise` if it isn't set.
std::string option(const Options& options, const std::string& key, const std::string& otherwise);

// Returns the options as words of `assay run`, each with a leading space.
std::string command_words(const ProgramEngine& engine, const Options& options);

}  // namespace assay::report
