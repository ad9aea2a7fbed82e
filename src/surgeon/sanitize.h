// Simplifies and tidies a model in steps, each a row of a table: folds constants, removes what is unused, and sets the
// shapes, outputs and bounds that the user asks for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "edit/mark_outputs.h"
#include "model/model.h"
#include "model/shapes.h"
#include "surgeon/fold/bound_sizes.h"
#include "surgeon/fold/engine.h"
#include "surgeon/fold/fold_constants.h"
#include "surgeon/shapes_by_running.h"

namespace assay::surgeon {

struct SanitizeOptions {
  std::map<std::string, std::vector<model::Dimension>> input_shapes{};  // new shapes of inputs, by name
  edit::MarkOptions outputs{};
  bool infer_shapes = true;    // by ONNX's inference; failure is only a warning
  MakeFeeds run_for_shapes{};  // if set, shapes come from a run of the model with these inputs
  std::optional<FoldOptions> fold{};
  bool remove_no_ops = false;     // remove_no_ops.h
  bool merge_duplicates = false;  // merge_duplicates.h
  UpperBounds bounds{};
  bool cleanup = false;
  bool toposort = false;
};

// Runs the steps that the options ask for. Like Polygraphy, also removes unused weights if a step changes the graph.
// `engine` is used by run_for_shapes and fold only. Errors: invalid_input if `input_shapes` contradict the nodes; those
// of mark_outputs(), shapes_by_running(), fold_constants(), bound_sizes() and sort_nodes(). The model may then be
// changed.
base::Status sanitize(model::Model& model, const SanitizeOptions& options, const Engine& engine, base::Log& log);

}  // namespace assay::surgeon
