// The engines for which programs can be generated: those that have parts of programs in templates/KIND.*. Everything
// else that the programs need comes from the engine's row in backend/engine_table.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/engine_table.h"
#include "report/program_text.h"
#include "report/repro.h"

namespace assay::report {

// An engine's parts of the programs: imports or includes, then the line COMMON, then the code that runs the model.
struct EngineParts {
  std::string_view kind;  // of the worker
  std::string_view python;
  std::string_view cpp;
  std::string_view build;  // CMakeLists.txt
  std::string_view use;    // how to run both, for README.md
};

// Returns null if no programs can be generated for the engine.
const EngineParts* find_engine_parts(std::string_view kind);

// The engine that the programs use; its kind has parts.
struct ProgramEngine {
  const backend::EngineRow& row;
  const EngineParts& parts;
};
ProgramEngine engine_of(const ReproInput& input);

// Returns the words of a setting whose form is a list.
std::vector<std::string> words_of(const backend::EngineSetting& setting, const Options& options);

// Returns the constants of both programs: the engine's settings that have one, and what else its parts need.
std::vector<Constant> engine_constants(const ReproInput& input);
std::vector<Constant> engine_constants(const backend::EngineRow& engine, const Options& options,
                                       const onnx::GraphProto& graph);

// Returns the same settings as words of `assay run`.
std::vector<std::string> command_words(const backend::EngineRow& engine, const Options& options);

}  // namespace assay::report
