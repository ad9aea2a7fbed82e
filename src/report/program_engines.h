// The engines that programs can be made for, one row each. A new one: a file program_NAME.cc with its settings, its
// parts of the programs in templates/NAME.* (its name in CMakeLists.txt embeds them), and a row.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/program_text.h"
#include "report/repro.h"

namespace assay::report {

// How Assay's command line takes an option of the worker.
struct OptionWord {
  std::string_view key;  // "threads"; one that ends with '.' is the start of many: "config."
  std::string_view flag;
  char separator = '\0';  // between several values; '\0': there is one
};

struct ProgramEngine {
  std::string_view kind;  // of the worker
  std::string_view name;  // for people
  std::string_view flag;  // of `assay run`
  bool in_polygraphy;     // it has this flag too
  std::span<const OptionWord> words;
  // What both programs are told, from the options of the worker and the model.
  std::vector<Setting> (*settings)(const ReproInput& input);
  // The engine's parts: what is imported or included, the line COMMON, and what runs the model.
  std::string_view python;
  std::string_view cpp;
  std::string_view build;  // CMakeLists.txt
  std::string_view use;    // how both are run, for README.md
};

// The engine that others are measured by is first.
std::span<const ProgramEngine> program_engines();
// Null for one that no programs can be made for.
const ProgramEngine* find_program_engine(std::string_view kind);
// That of the programs.
const ProgramEngine& engine_of(const ReproInput& input);

std::vector<Setting> onnxruntime_settings(const ReproInput& input);
std::vector<Setting> openvino_settings(const ReproInput& input);

// Values of all options "PREFIXkey" by key.
std::map<std::string, std::string> options_below(const Options& options, std::string_view prefix);
// The option's value; `otherwise` where it is not given.
std::string option(const Options& options, const std::string& key, const std::string& otherwise);

// The options as words of `assay run`, each behind a blank.
std::string command_words(const ProgramEngine& engine, const Options& options);

}  // namespace assay::report
