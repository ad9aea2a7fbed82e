// Tags that distinguish runners, used as the first part of their names.
#pragma once

#include <string>
#include <vector>

#include "backend/engine_table.h"
#include "worker/engine.h"

namespace assay::cli {

struct RunnerIdentity {
  const backend::EngineRow* row = nullptr;
  std::string name;  // given by the user; empty: none
  worker::EngineSpec spec;
};

// Returns a tag for each runner: the user's name for it, or else the engine's name ("onnxrt"). If runners of one engine
// have different settings, the differences are added: "onnxrt[threads=1,lib=libonnxruntime.so.1.20.1]".
std::vector<std::string> runner_tags(const std::vector<RunnerIdentity>& runners);

}  // namespace assay::cli
