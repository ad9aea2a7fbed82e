// What tells runners apart, for their names.
#pragma once

#include <string>
#include <vector>

#include "cli/options/engine_table.h"
#include "worker/engine.h"

namespace assay::cli {

struct RunnerIdentity {
  const EngineRow* row = nullptr;
  std::string name;  // that the user gave it; empty: none
  worker::EngineSpec spec;
};

// For each runner the user's name for it; else the engine's name for runners ("onnxrt"), followed, where other runners
// of the engine have other settings, by what is its own: "onnxrt[threads=1,lib=1.20.1]".
std::vector<std::string> runner_tags(const std::vector<RunnerIdentity>& runners);

}  // namespace assay::cli
