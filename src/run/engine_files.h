// The files that TensorRT's worker writes when it builds an engine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "run/engine_runner.h"

namespace assay::run {

struct EngineFile {
  std::string_view what;  // "the engine"
  std::string path;       // as the user gave it
};

// Returns those that the engine's settings ask for; none for other engines.
std::vector<EngineFile> engine_files(const EngineSetup& engine);

}  // namespace assay::run
