// One pass goes through the graph and then into the bodies that remain in it, so that a body sees the values folded in
// the graph around it. In each graph: find what depends on constants only, plan which results are needed as values,
// have them computed, and repeat with what was learned (nodes that fail, results that are too large) until the plan
// holds.
#include "surgeon/fold/fold_constants.h"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/at.h"
#include "edit/keep_if.h"
#include "edit/non_tensors.h"
#include "edit/visit_graphs.h"
#include "model/graph_view.h"
#include "model/inference/infer_shapes.h"
#include "model/input_specs.h"
#include "model/onnx_facts.h"
#include "model/shapes.h"
#include "model/weights.h"
#include "surgeon/fold/find_foldable.h"
#include "surgeon/fold/fold_shapes.h"
#include "surgeon/fold/known_shapes.h"
#include "surgeon/fold/plan_fold.h"
#include "surgeon/graph/constants.h"
#include "surgeon/graph/drop_unused.h"
#include "surgeon/graph/inline_branches.h"

namespace assay::surgeon {
namespace {

using base::at;

int count_nodes(model::Model& model) {
  int count = 0;
  edit::visit_graphs(model.graph(), [&](const onnx::GraphProto& graph) { count += graph.node_size(); });
  return count;
}

// Removes nodes; the others keep their order.
void remove_nodes(onnx::GraphProto& graph, const std::vector<bool>& removed) {
  edit::keep_if(*graph.mutable_node(), [next = removed.begin()](const auto&) mutable { return !*next++; });
}

// Gives an output that has become an initializer the initializer's shape.
void describe_constant_outputs(onnx::GraphProto& graph) {
  const Constants constants(graph);
  for (onnx::ValueInfoProto& output : *graph.mutable_output()) {
    const onnx::TensorProto* weight = constants.find(output.name());
    if (weight == nullptr || model::is_static(model::tensor_info(output))) continue;
    const model::TensorInfo info = model::static_info(model::element_type(*weight), model::shape(*weight));
    *output.mutable_type() = model::to_value_info(output.name(), info).type();
  }
}

// The constants and shapes that a graph sees from outside; empty for the model's own.
struct Surroundings {
  const Constants* constants = nullptr;
  const KnownShapes* shapes = nullptr;
};

bool is_too_large(const onnx::TensorProto& value, const FoldOptions& options) {
  return options.size_threshold && model::data_bytes(value) > *options.size_threshold;
}

// The inputs of the model that are also initializers, so that callers may set them. Bodies can't define their names.
class SettableInputs {
 public:
  explicit SettableInputs(const onnx::ModelProto& model) {
    if (model::initializers_are_inputs(model)) return;
    for (std::string& name : model::inputs_with_values(model.graph())) names_.insert(std::move(name));
  }

  // Called with each name that a value depends on.
  void note(const std::string& name) {
    if (names_.contains(name)) folded_.insert(name);
  }

  void remove_folded(onnx::GraphProto& graph) const {
    edit::keep_if(*graph.mutable_input(), [&](const auto& input) { return !folded_.contains(input.name()); });
  }

 private:
  std::unordered_set<std::string> names_, folded_;
};

// Folds one graph: records what is learned about it until the plan holds.
class GraphFolding {
 public:
  GraphFolding(model::Model& model, onnx::GraphProto& graph, const Surroundings& outer, const FoldOptions& options,
               SettableInputs& settable)
      : model_(model),
        graph_(graph),
        options_(options),
        settable_(settable),
        view_(graph),
        constants_(graph, outer.constants),
        shapes_(graph, outer.shapes),
        non_tensors_(edit::non_tensors(graph)),
        foldable_(find_foldable(view_, constants_, FoldableOps(model.proto))) {}

  base::Status fold(Evaluator& evaluator) {
    if (std::ranges::find(foldable_, true) == foldable_.end()) return {};
    ASSAY_ASSIGN(const std::vector<model::NodeId> order, model::topological_order(view_));
    for (;;) {
      const FoldPlan plan = plan_fold(view_, foldable_, [&](model::TensorId id) { return may_be_value(id); });
      std::vector<model::TensorId> unknown;
      std::ranges::copy_if(plan.wanted, std::back_inserter(unknown),
                           [&](model::TensorId id) { return !values_.contains(id); });
      if (unknown.empty()) {
        apply(plan, order);
        return {};
      }
      const Computation computation{view_, constants_, nodes_for(view_, foldable_, unknown, order), unknown};
      ASSAY_ASSIGN(Evaluated evaluated, evaluator.evaluate(model_, computation));
      if (options_.failures_are_errors && !evaluated.first_failure.empty()) {
        return base::fail(base::ErrorKind::engine,
                          "a node that depends on constants only can't be computed: " + evaluated.first_failure);
      }
      learn(std::move(evaluated), unknown);
    }
  }

 private:
  [[nodiscard]] bool may_be_value(model::TensorId id) const {
    if (too_large_.contains(id) || non_tensors_.contains(view_.name(id))) return false;
    if (!options_.size_threshold || values_.contains(id)) return true;
    const model::TensorInfo info = shapes_.find(view_.name(id));
    if (!model::is_static(info)) return true;
    tensor::Shape shape;
    for (const model::Dimension& dimension : *info.shape) shape.push_back(dimension.value);
    const auto count = tensor::element_count(shape);
    const auto bytes = count ? tensor::byte_size(info.type, *count) : std::nullopt;
    return !bytes || *bytes <= *options_.size_threshold;
  }

  void learn(Evaluated evaluated, const std::vector<model::TensorId>& requested) {
    for (onnx::TensorProto& value : evaluated.values) {
      const model::TensorId id = view_.find(value.name());
      if (is_too_large(value, options_)) {
        too_large_.insert(id);
      } else {
        values_.emplace(id, std::move(value));
      }
    }
    for (const model::NodeId id : evaluated.failed) give_up(id);
    // Values that are still missing for no known reason can't be computed.
    if (!evaluated.failed.empty()) return;
    for (const model::TensorId id : requested) {
      if (!values_.contains(id) && !too_large_.contains(id)) give_up(view_.producer(id));
    }
  }

  // Keeps the node and all that depend on it.
  void give_up(model::NodeId first) {
    std::vector<model::NodeId> pending = {first};
    while (!pending.empty()) {
      const model::NodeId id = pending.back();
      pending.pop_back();
      if (!foldable_[at(id)]) continue;
      foldable_[at(id)] = false;
      for (const model::TensorId output : view_.outputs(id)) {
        const auto consumers = view_.consumers(output);
        pending.insert(pending.end(), consumers.begin(), consumers.end());
      }
    }
  }

  void apply(const FoldPlan& plan, const std::vector<model::NodeId>& order) {
    for (const model::NodeId id : nodes_for(view_, foldable_, plan.wanted, order)) {
      for (const model::TensorId input : view_.inputs(id)) settable_.note(std::string(view_.name(input)));
    }
    std::vector<bool> removed(foldable_.size());
    for (std::size_t i = 0; i < removed.size(); ++i) removed[i] = foldable_[i] && !plan.stays[i];
    for (const model::TensorId id : plan.wanted) add_initializer(model_.proto, graph_, std::move(values_.at(id)));
    remove_nodes(graph_, removed);
  }

  model::Model& model_;
  onnx::GraphProto& graph_;
  const FoldOptions& options_;
  SettableInputs& settable_;
  model::GraphView view_;
  Constants constants_;
  KnownShapes shapes_;
  std::unordered_set<std::string_view> non_tensors_;
  std::vector<bool> foldable_;
  std::unordered_map<model::TensorId, onnx::TensorProto> values_;
  std::unordered_set<model::TensorId> too_large_;
};

class Folder {
 public:
  Folder(model::Model& model, const FoldOptions& options, const Engine& engine, base::Log& log)
      : model_(model),
        options_(options),
        log_(log),
        evaluator_(engine, options.partitioning, log),
        settable_(model.proto) {}

  base::Status run() {
    for (int pass = 1; !options_.passes || pass <= *options_.passes; ++pass) {
      if (pass > 1 && options_.infer_between_passes) infer();
      const int before = count_nodes(model_);
      log_.info("Folding constants, pass {}", pass);
      ASSAY_TRY(run_pass());
      const int after = count_nodes(model_);
      log_.info("    Nodes: {} before, {} after, {} folded", before, after, before - after);
      if (after == before) break;
    }
    settable_.remove_folded(model_.graph());
    describe_constant_outputs(model_.graph());
    return {};
  }

 private:
  void infer() {
    if (const base::Status inferred = model::infer_shapes(model_); !inferred) {
      log_.warning("Shapes could not be inferred, continuing without them: {}", inferred.error().message());
    }
  }

  base::Status run_pass() {
    lift_constants(model_.proto);
    ASSAY_TRY(fold_graph(model_.graph(), {}));
    for (const std::string& condition : inline_branches(model_)) settable_.note(condition);
    drop_dead_nodes(model_);
    drop_unused_initializers(model_);
    return {};
  }

  base::Status fold_graph(onnx::GraphProto& graph, const Surroundings& outer) {
    if (options_.fold_shapes) replace_shapes(graph, outer);
    ASSAY_TRY(GraphFolding(model_, graph, outer, options_, settable_).fold(evaluator_));
    const Constants constants(graph, outer.constants);
    const KnownShapes shapes(graph, outer.shapes);
    base::Status status;
    for (onnx::NodeProto& node : *graph.mutable_node()) {
      edit::visit_bodies(node, [&](onnx::GraphProto& body) {
        if (status) status = fold_graph(body, {&constants, &shapes});
      });
    }
    return status;
  }

  void replace_shapes(onnx::GraphProto& graph, const Surroundings& outer) {
    const model::GraphView view(graph);
    const Constants constants(graph, outer.constants);
    const std::vector<KnownValue> known =
        surgeon::fold_shapes(model_, view, constants, KnownShapes(graph, outer.shapes));
    if (known.empty()) return;
    std::vector<bool> removed(at(view.node_count()), false);
    for (const KnownValue& value : known) {
      const std::string name(view.name(view.outputs(value.node).front()));
      onnx::TensorProto constant = model::to_proto(name, value.value);
      if (is_too_large(constant, options_)) continue;
      removed[at(value.node)] = true;
      add_initializer(model_.proto, graph, std::move(constant));
    }
    remove_nodes(graph, removed);
  }

  model::Model& model_;
  const FoldOptions& options_;
  base::Log& log_;
  Evaluator evaluator_;
  SettableInputs settable_;
};

}  // namespace

base::Status fold_constants(model::Model& model, const FoldOptions& options, const Engine& engine, base::Log& log) {
  return Folder(model, options, engine, log).run();
}

}  // namespace assay::surgeon
