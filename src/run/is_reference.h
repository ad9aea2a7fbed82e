// Recognises ONNX's reference evaluator among the engines.
#pragma once

#include "worker/engine.h"

namespace assay::run {

// Returns true for the reference evaluator. Its values are assumed to be right, and so are the types that it returns.
inline bool is_reference(const worker::EngineSpec& engine) {
  const auto module = engine.options.find("module");
  return engine.kind == "python" && module != engine.options.end() && module->second == "reference";
}

}  // namespace assay::run
