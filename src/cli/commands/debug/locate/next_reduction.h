// The reduction that `assay debug locate` suggests: `assay debug reduce` with a check built from the words of the
// command line. The check repeats the options of the engines and of the comparison, so that it judges candidates
// exactly as the search judged the tensors. If one of two engines differs from itself, the check has its settings only.
#pragma once

#include <CLI/App.hpp>

#include <optional>
#include <string>
#include <vector>

#include "locate/location.h"
#include "locate/report.h"
#include "run/engine_runner.h"
#include "run/engine_words.h"

namespace assay::cli {

// The search, as far as its reduction depends on it.
struct LocateCommand {
  const CLI::App& app;  // has parsed the command line
  std::string model;
  const std::vector<run::EngineSetup>& engines;
  run::UsualLibraries usual_libraries;
  bool two_engines = false;  // they run the whole model unchanged; otherwise only a saved piece is reduced
  bool float16 = false;      // float32 and float16 were compared
};

// Returns nothing if a reduction isn't worth while.
std::optional<locate::NextCommand> next_reduction(const locate::Location& location, const LocateCommand& searched);

}  // namespace assay::cli
