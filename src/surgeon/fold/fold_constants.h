// Folds constants: computes what is the same in every run and replaces the nodes by their values.
#pragma once

#include <cstdint>
#include <optional>

#include "base/error.h"
#include "base/log.h"
#include "model/model.h"
#include "surgeon/fold/engine.h"
#include "surgeon/fold/evaluate_constants.h"

namespace assay::surgeon {

struct FoldOptions {
  std::optional<int> passes{};  // absent: repeat until a pass changes nothing
  Partitioning partitioning = Partitioning::recursive;
  bool fold_shapes = true;                        // known shapes, and what is computed from them
  bool infer_between_passes = true;               // shapes, by ONNX's inference
  std::optional<std::uint64_t> size_threshold{};  // bytes; tensors above it stay computed
  bool failures_are_errors = false;               // of the engine, at a node that it should compute
};

// In each pass, Constant nodes become initializers. Values that follow from known shapes, and then all others that
// depend on constants only, are computed (in an engine, in worker processes) and become initializers. An If with a
// constant condition is replaced by the branch taken. Unneeded nodes and weights are removed. Bodies are folded like
// the graph around them. Nodes that the engine can't run stay, with a warning. Large weights are never read into this
// process.
//
// As in Polygraphy, an input that is also an initializer counts as a constant. If a value depends on it, it is no
// longer an input, since callers who set it would change only the rest of the model.
//
// Errors: invalid_input for a cycle; not_found if an engine is needed and none is available; engine if
// `failures_are_errors` and the engine can't compute a node; interrupted.
base::Status fold_constants(model::Model& model, const FoldOptions& options, const Engine& engine, base::Log& log);

}  // namespace assay::surgeon
