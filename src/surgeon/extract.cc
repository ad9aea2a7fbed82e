// A part is what its outputs need: a walk against the edges that ends at the given inputs and at constants. So nodes
// between the inputs that no output needs are left out. If the walk reaches an input of the model that isn't among the
// given ones, the part can't be computed.
//
// Types and shapes come from the cheapest source that has them: the user, the model's declarations, ONNX's inference,
// and last a run of the model. If the user gives an input another shape, what was known of the tensors behind it may be
// false, so their declarations are removed.
#include "surgeon/extract.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <utility>

#include "base/at.h"
#include "base/list_first.h"
#include "base/strings.h"
#include "edit/build_candidate.h"
#include "edit/candidate_facts.h"
#include "edit/keep_if.h"
#include "edit/selection.h"
#include "model/dependencies.h"
#include "model/inference/infer_shapes.h"
#include "model/shapes.h"
#include "surgeon/graph/free_names.h"
#include "surgeon/graph/new_type_faults.h"
#include "surgeon/graph/no_such_tensor.h"

namespace assay::surgeon {
namespace {

using base::at;
using edit::Subject;
using model::kNone;
using model::NodeId;
using model::TensorId;

constexpr std::size_t kMostListed = 8;  // tensors in one message

struct Port {
  TensorId id;
  Boundary given;
};

base::Expected<std::vector<Port>> find_ports(const model::GraphView& view, const std::vector<Boundary>& boundaries,
                                             const std::string& option) {
  std::vector<Port> ports;
  std::set<TensorId> seen;
  for (const Boundary& boundary : boundaries) {
    const TensorId id = view.find(boundary.name);
    if (id == kNone) return base::fail(no_such_tensor(view, boundary.name, option));
    if (!seen.insert(id).second) {
      return base::fail(base::ErrorKind::invalid_input, fmt::format("'{}' is given twice", boundary.name), option,
                        "Name each tensor once");
    }
    ports.push_back({id, boundary});
  }
  return ports;
}

// Returns each of the model's tensors once: a model may list an output twice.
std::vector<Boundary> boundaries(const google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& values,
                                 const std::function<bool(const std::string& name)>& counts) {
  std::vector<Boundary> result;
  std::set<std::string> seen;
  for (const onnx::ValueInfoProto& value : values) {
    if (counts(value.name()) && seen.insert(value.name()).second) result.push_back({.name = value.name()});
  }
  return result;
}

std::vector<Boundary> graph_inputs(const model::GraphView& view) {
  return boundaries(view.graph().input(),
                    [&](const std::string& name) { return view.is_graph_input(view.find(name)); });
}

std::vector<Boundary> graph_outputs(const model::GraphView& view) {
  return boundaries(view.graph().output(), [](const std::string&) { return true; });
}

class Extraction {
 public:
  Extraction(const model::Model& model, const ExtractOptions& options, base::Log& log)
      : options_(options),
        log_(log),
        subject_(model, Subject::Constants::as_nodes),
        view_(subject_.view()),
        facts_(edit::TensorFacts(subject_)) {}

  base::Expected<model::Model> run(const FindShapes& find_shapes) {
    ASSAY_ASSIGN(inputs_, find_ports(view_, options_.inputs ? *options_.inputs : graph_inputs(view_), "--inputs"));
    ASSAY_ASSIGN(outputs_, find_ports(view_, options_.outputs ? *options_.outputs : graph_outputs(view_), "--outputs"));
    select();
    ASSAY_TRY(check_boundary());
    ASSAY_TRY(find_types(find_shapes));
    return build();
  }

 private:
  void select() {
    std::vector<bool> supplied(at(view_.tensor_count()), false);
    for (const Port& input : inputs_) supplied[at(input.id)] = true;
    for (const Port& output : outputs_) selection_.outputs.push_back(output.id);
    const std::vector<bool> kept = model::needed_nodes(
        view_, selection_.outputs, [&](TensorId id) { return supplied[at(id)] || subject_.is_constant(id); });
    for (NodeId id = 0; id < view_.node_count(); ++id) {
      if (kept[at(id)]) selection_.nodes.push_back(id);
    }
  }

  // Everything that the part needs from outside must be an input.
  base::Status check_boundary() {
    std::set<TensorId> supplied;
    for (const Port& input : inputs_) supplied.insert(input.id);
    std::vector<std::string> missing;
    for (const TensorId id : edit::boundary(subject_, selection_)) {
      if (!supplied.contains(id)) missing.push_back(fmt::format("'{}'", view_.name(id)));
    }
    if (missing.empty()) return {};
    return base::fail(base::ErrorKind::invalid_input,
                      fmt::format("the outputs also need {}, which no input supplies",
                                  base::list_first(std::move(missing), kMostListed, ", ")),
                      "--inputs", "Add them as inputs, or cut at later tensors");
  }

  [[nodiscard]] bool has_type(const Port& port) const {
    return view_.is_initializer(port.id) || port.given.type || facts_.has_type(port.id);
  }
  [[nodiscard]] bool has_rank(const Port& port) const {
    return view_.is_initializer(port.id) || port.given.shape || facts_.has_rank(port.id);
  }

  std::vector<std::string> unknown() const {
    std::vector<std::string> names;
    for (const Port& port : inputs_) {
      if (!has_type(port) || !has_rank(port)) names.push_back(port.given.name);
    }
    for (const Port& port : outputs_) {
      if (!has_type(port)) names.push_back(port.given.name);
    }
    return names;
  }

  base::Status find_types(const FindShapes& find_shapes) {
    std::vector<std::string> names = unknown();
    edit::TensorFacts known(subject_);
    if (!names.empty()) {
      log_.info("Inferring shapes, because those of {} are unknown", base::join(names, ", "));
      known = edit::TensorFacts(subject_, edit::TensorFacts::Inference::onnx);
      if (!known.inference()) log_.warning("{}", known.inference().error().message());
      facts_ = known;
      names = unknown();
    }
    if (options_.run_for_shapes) {
      names.clear();
      for (TensorId id = 0; id < view_.tensor_count(); ++id) names.emplace_back(view_.name(id));
    } else if (!names.empty()) {
      log_.warning(
          "Inference does not find the type and shape of {}; running the model with generated inputs to find them",
          base::join(names, ", "));
    }
    if (names.empty()) return {};
    ASSAY_ASSIGN(const auto seen, find_shapes(names));
    std::vector<edit::SeenShape> shapes;
    for (const auto& [name, info] : seen) {
      edit::SeenShape& shape = shapes.emplace_back(edit::SeenShape{view_.find(name), info.type, {}});
      for (const model::Dimension& dimension : *info.shape) shape.shape.push_back(dimension.value);
    }
    if (options_.run_for_shapes) facts_ = known.replaced_by(shapes);
    for (const edit::SeenShape& shape : shapes) facts_.see(shape);
    names = unknown();
    if (names.empty()) return {};
    return base::fail(base::ErrorKind::invalid_input,
                      fmt::format("cannot find type and shape of {}", base::join(names, ", ")), "--inputs, --outputs",
                      "Specify them, as in name:[1,3,224,224]:float32");
  }

  [[nodiscard]] onnx::ValueInfoProto describe(const Port& port) const {
    onnx::ValueInfoProto value;
    if (const onnx::ValueInfoProto* known = facts_.find(port.id)) value = *known;
    if (view_.is_initializer(port.id)) value = describe_weight(port.id);
    value.set_name(port.given.name);
    if (!port.given.type && !port.given.shape) return value;
    model::TensorInfo info = model::tensor_info(value);
    if (port.given.type) info.type = *port.given.type;
    if (port.given.shape) info.shape = port.given.shape;
    return model::to_value_info(port.given.name, info);
  }

  [[nodiscard]] onnx::ValueInfoProto describe_weight(TensorId id) const {
    if (const onnx::TensorProto* dense = view_.initializer(id)) return model::to_value_info(*dense);
    const std::int32_t position = subject_.sparse_initializers(id).front();
    return model::to_value_info(view_.graph().sparse_initializer(position));
  }

  // Returns true if an input gets another type or shape than it has: facts about the tensors after it are then stale.
  [[nodiscard]] bool changes(const Port& input) const {
    const onnx::ValueInfoProto* known = facts_.find(input.id);
    return known != nullptr && describe(input).SerializeAsString() != known->SerializeAsString();
  }

  base::Expected<model::Model> build() {
    model::Model part = edit::build_candidate(subject_, selection_, facts_);
    onnx::GraphProto& graph = part.graph();
    std::set<std::string> supplied;
    for (const Port& input : inputs_) supplied.insert(input.given.name);

    // Weights that have become inputs are removed from the weights.
    edit::keep_if(*graph.mutable_initializer(),
                  [&](const onnx::TensorProto& weight) { return !supplied.contains(weight.name()); });
    edit::keep_if(*graph.mutable_sparse_initializer(),
                  [&](const onnx::SparseTensorProto& weight) { return !supplied.contains(weight.values().name()); });
    google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> inputs;
    for (const Port& input : inputs_) *inputs.Add() = describe(input);
    for (const onnx::ValueInfoProto& input : graph.input()) {
      const TensorId id = view_.find(input.name());
      if (view_.is_initializer(id) && !supplied.contains(input.name())) *inputs.Add() = input;
    }
    graph.mutable_input()->Swap(&inputs);
    free_names(graph, supplied);
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      *graph.mutable_output(static_cast<int>(i)) = describe(outputs_[i]);

    const bool stale = std::ranges::any_of(inputs_, [&](const Port& input) { return changes(input); });
    if (options_.run_for_shapes) {
      graph.clear_value_info();
      add_seen(graph);
    } else if (stale) {
      infer_again(part);
    }
    const auto is_given = [](const Port& port) { return port.given.type || port.given.shape; };
    if (std::ranges::any_of(inputs_, is_given) || std::ranges::any_of(outputs_, is_given)) {
      if (const std::string faults = list_new_type_faults(subject_.model(), part); !faults.empty()) {
        log_.warning("The given types and shapes contradict the nodes: {}", faults);
      }
    }
    return part;
  }

  // Shapes behind an input that gets another one may be false. An output keeps the one that it has if inference finds
  // none.
  void infer_again(model::Model& part) const {
    model::remove_stale_shapes(part.graph());
    const auto inferred = model::inferred_values(part);
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      onnx::ValueInfoProto& output = *part.graph().mutable_output(static_cast<int>(i));
      output = describe(outputs_[i]);
      if (!inferred || outputs_[i].given.shape) continue;
      const onnx::TypeProto& found = inferred->output(static_cast<int>(i)).type();
      if (!found.tensor_type().has_shape()) continue;
      *output.mutable_type()->mutable_tensor_type()->mutable_shape() = found.tensor_type().shape();
    }
  }

  void add_seen(onnx::GraphProto& graph) const {
    for (const NodeId node : selection_.nodes) {
      for (const TensorId output : view_.outputs(node)) {
        const onnx::ValueInfoProto* seen = facts_.find_static(output);
        if (seen != nullptr && std::ranges::find(selection_.outputs, output) == selection_.outputs.end()) {
          *graph.add_value_info() = *seen;
        }
      }
    }
  }

  const ExtractOptions& options_;
  base::Log& log_;
  Subject subject_;
  const model::GraphView& view_;
  edit::CandidateFacts facts_;
  std::vector<Port> inputs_;
  std::vector<Port> outputs_;
  edit::Selection selection_;
};

}  // namespace

base::Expected<model::Model> extract(const model::Model& model, const ExtractOptions& options,
                                     const FindShapes& find_shapes, base::Log& log) {
  return Extraction(model, options, log).run(find_shapes);
}

}  // namespace assay::surgeon
