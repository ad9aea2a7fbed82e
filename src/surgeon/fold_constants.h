// Works out what is the same in every run, and leaves its values in place of the nodes.
#pragma once

#include <cstdint>
#include <optional>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "model/model.h"
#include "surgeon/engine.h"
#include "surgeon/evaluate_constants.h"

namespace assay::surgeon {

struct FoldOptions {
  std::optional<int> passes{};  // absent: until a pass changes nothing
  Partitioning partitioning = Partitioning::recursive;
  bool fold_shapes = true;                        // shapes that are known, and what is computed from them
  bool infer_between_passes = true;               // shapes, by ONNX's inference
  std::optional<std::uint64_t> size_threshold{};  // bytes; tensors above it stay computed
};

// Each pass: Constant nodes become initializers; values that follow from known shapes, and then all others that depend
// on constants only, are worked out (in an engine, in worker processes) and become initializers; an If with a constant
// condition is replaced by the branch that it takes; what nothing needs any more goes. Bodies are folded like the graph
// around them. What the engine cannot run stays, with a warning. Large weights are never read into this process.
// Errors: invalid_input for a cycle; not_found where there is no engine and one is needed; interrupted.
base::Status fold_constants(model::Model& model, const FoldOptions& options, const Engine& engine, base::Log& log);

}  // namespace assay::surgeon
