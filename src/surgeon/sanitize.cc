#include "surgeon/sanitize.h"

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "model/graph_view.h"
#include "model/inference/infer_shapes.h"
#include "model/shapes_by_input.h"
#include "surgeon/fold/merge_duplicates.h"
#include "surgeon/fold/remove_no_ops.h"
#include "surgeon/graph/correct_shapes.h"
#include "surgeon/graph/drop_unused.h"
#include "surgeon/graph/new_type_faults.h"
#include "surgeon/graph/sort_nodes.h"

namespace assay::surgeon {
namespace {

using Options = SanitizeOptions;

base::Status override_shapes(model::Model& model, const Options& options, const Engine&, base::Log&) {
  constexpr std::string_view kOption = "--override-input-shapes";
  ASSAY_ASSIGN(const auto shapes, model::shapes_by_input(model, options.input_shapes, kOption));
  const model::Model before = model;
  model::override_input_shapes(model, shapes);
  const std::string faults = list_new_type_faults(before, model);
  if (faults.empty()) return {};
  return base::fail(base::ErrorKind::invalid_input, "these shapes contradict the model: " + faults,
                    std::string(kOption), "Give shapes that the nodes take");
}

base::Status mark_outputs(model::Model& model, const Options& options, const Engine&, base::Log& log) {
  return edit::mark_outputs(model, options.outputs, log);
}

// Engines ignore false shapes, so what is computed from them would change the results.
base::Status correct(model::Model& model, const Options&, const Engine&, base::Log& log) {
  const std::vector<CorrectedShape> corrected = correct_shapes(model);
  if (!corrected.empty()) log.warning("Corrected declared shapes: {}", list_faults(corrected));
  return {};
}

bool uses_shapes(const Options& options) {
  return options.fold || options.remove_no_ops || !options.bounds.empty();
}

base::Status infer(model::Model& model, const Options&, const Engine&, base::Log& log) {
  if (const base::Status inferred = model::infer_shapes(model); !inferred) {
    log.warning("Shapes could not be inferred, continuing without them: {}", inferred.error().message());
  }
  return {};
}

// Gives every tensor the static shape that it has in one run.
base::Status run_for_shapes(model::Model& model, const Options& options, const Engine& engine, base::Log& log) {
  std::vector<std::string> names;
  const model::GraphView view(model.graph());
  for (model::TensorId id = 0; id < view.tensor_count(); ++id) names.emplace_back(view.name(id));
  ASSAY_ASSIGN(auto seen, shapes_by_running(model, names, options.run_for_shapes, engine, log));
  onnx::GraphProto& graph = model.graph();
  for (auto* values : {graph.mutable_input(), graph.mutable_output()}) {
    for (onnx::ValueInfoProto& value : *values) {
      const auto at = seen.find(value.name());
      if (at == seen.end()) continue;
      value = model::to_value_info(value.name(), at->second);
      seen.erase(at);
    }
  }
  graph.clear_value_info();
  for (const auto& [name, info] : seen) *graph.add_value_info() = model::to_value_info(name, info);
  return {};
}

base::Status fold(model::Model& model, const Options& options, const Engine& engine, base::Log& log) {
  return fold_constants(model, *options.fold, engine, log);
}

base::Status no_ops(model::Model& model, const Options&, const Engine&, base::Log& log) {
  log.info("Nodes removed that return what they read: {}", remove_no_ops(model));
  return {};
}

base::Status duplicates(model::Model& model, const Options&, const Engine&, base::Log& log) {
  log.info("Nodes removed that compute the same as another: {}", merge_duplicates(model));
  return {};
}

base::Status bound(model::Model& model, const Options& options, const Engine&, base::Log& log) {
  return bound_sizes(model, options.bounds, log);
}

base::Status cleanup(model::Model& model, const Options&, const Engine&, base::Log& log) {
  log.info("Dead nodes removed: {}", drop_dead_nodes(model));
  return {};
}

base::Status toposort(model::Model& model, const Options&, const Engine&, base::Log&) {
  return sort_nodes(model);
}

struct Step {
  std::string_view name;
  bool changes_graph;  // as in Polygraphy, unused weights are then removed
  bool (*wanted)(const Options& options);
  base::Status (*run)(model::Model& model, const Options& options, const Engine& engine, base::Log& log);
};

// Inference requires sorted nodes, and no later step changes the order. Outputs are marked before shapes are inferred,
// so that new outputs get types; bounds need the folded graph. Nodes that read the same may do so through no-ops.
constexpr Step kSteps[] = {
    {"toposort", true, [](const Options& o) { return o.toposort; }, toposort},
    {"override-input-shapes", true, [](const Options& o) { return !o.input_shapes.empty(); }, override_shapes},
    {"mark-outputs", false, [](const Options& o) { return !o.outputs.empty(); }, mark_outputs},
    {"correct-shapes", false, uses_shapes, correct},
    {"infer-shapes", false, [](const Options& o) { return o.infer_shapes; }, infer},
    {"run-for-shapes", true, [](const Options& o) { return o.run_for_shapes != nullptr; }, run_for_shapes},
    {"fold-constants", true, [](const Options& o) { return o.fold.has_value(); }, fold},
    {"remove-no-ops", true, [](const Options& o) { return o.remove_no_ops; }, no_ops},
    {"merge-duplicates", true, [](const Options& o) { return o.merge_duplicates; }, duplicates},
    {"bound-sizes", true, [](const Options& o) { return !o.bounds.empty(); }, bound},
    {"cleanup", true, [](const Options& o) { return o.cleanup; }, cleanup},
};

}  // namespace

base::Status sanitize(model::Model& model, const SanitizeOptions& options, const Engine& engine, base::Log& log) {
  bool changed = false;
  for (const Step& step : kSteps) {
    if (!step.wanted(options)) continue;
    log.verbose("Sanitizing: {}", step.name);
    ASSAY_TRY(step.run(model, options, engine, log));
    changed = changed || step.changes_graph;
  }
  const int dropped = changed ? drop_unused_initializers(model) : 0;
  if (dropped > 0) log.verbose("Unused initializers removed: {}", dropped);
  return {};
}

}  // namespace assay::surgeon
