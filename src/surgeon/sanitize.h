// Simplifies and tidies a model without changing what it computes.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
  std::map<std::string, std::vector<model::Dimension>> input_shapes{};  // --override-input-shapes
  edit::MarkOptions outputs{};
  bool infer_shapes = true;    // by ONNX's inference; failure is only a warning
  MakeFeeds run_for_shapes{};  // if set, shapes come from a run of the model with these inputs
  std::optional<FoldOptions> fold{};
  UpperBounds bounds{};
  bool cleanup = false;
  bool toposort = false;
};

// One step of sanitizing, and whether the options ask for it.
struct SanitizeStep {
  std::string_view name;
  bool (*wanted)(const SanitizeOptions& options);
  base::Status (*run)(model::Model& model, const SanitizeOptions& options, const Engine& engine, base::Log& log);
};

// Returns the steps in the order in which they run.
std::span<const SanitizeStep> sanitize_steps();

base::Status sanitize(model::Model& model, const SanitizeOptions& options, const Engine& engine, base::Log& log);

}  // namespace assay::surgeon
