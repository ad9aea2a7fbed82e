#include "lint/check_declarations.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "edit/visit_graphs.h"
#include "tensor/element_type.h"

namespace assay::lint {
namespace {

using model::kNone;
using model::NodeId;

class DeclarationRules {
 public:
  explicit DeclarationRules(Report& report) : report_(report) {}

  // `owner`: the node of the model's graph that contains the body; kNone for the graph itself.
  void check(const onnx::GraphProto& graph, NodeId owner) {
    graph_ = &graph;
    owner_ = owner;
    for (const auto& value : graph.input()) check(value.type(), "input", value.name());
    for (const auto& value : graph.output()) check(value.type(), "output", value.name());
    for (const auto& value : graph.value_info()) check(value.type(), "tensor", value.name());
    for (NodeId id = 0; id < graph.node_size(); ++id) {
      const NodeId outer = owner == kNone ? id : owner;
      edit::visit_bodies(graph.node(id), [&](const onnx::GraphProto& body) { check(body, outer); });
    }
  }

 private:
  void check(const onnx::TypeProto& type, const char* what, const std::string& name) {
    if (type.has_sequence_type()) check(type.sequence_type().elem_type(), what, name);
    if (type.has_optional_type()) check(type.optional_type().elem_type(), what, name);
    if (type.has_map_type()) check(type.map_type().value_type(), what, name);
    if (type.has_tensor_type()) check_tensor(type.tensor_type(), what, name);
    if (type.has_sparse_tensor_type()) check_tensor(type.sparse_tensor_type(), what, name);
  }

  template <class TensorType>
  void check_tensor(const TensorType& type, const char* what, const std::string& name) {
    const int element = type.elem_type();
    if (element == 0) {
      report(Severity::exception, fmt::format("The {} '{}' is declared without an element type", what, name));
    } else if (tensor::info(static_cast<tensor::ElementType>(element)).type == tensor::ElementType::undefined) {
      report(Severity::exception,
             fmt::format("The {} '{}' is declared with the element type {}, which doesn't exist", what, name, element));
    }
    for (int axis = 0; axis < type.shape().dim_size(); ++axis) {
      const auto size = type.shape().dim(axis).dim_value();
      if (size >= 0) continue;
      report(Severity::warning,
             fmt::format("The {} '{}' is declared with the negative size {} at axis {}: an unknown size has no number",
                         what, name, size, axis));
    }
  }

  void report(Severity severity, std::string message) {
    std::vector<NodeId> nodes;
    if (owner_ != kNone) {
      message = fmt::format("In a body, the graph '{}': {}", graph_->name(), message);
      nodes = {owner_};
    }
    report_.add(severity, Source::checker, std::move(message), std::move(nodes));
  }

  Report& report_;
  const onnx::GraphProto* graph_ = nullptr;
  NodeId owner_ = kNone;
};

}  // namespace

void check_declarations(const model::Model& model, Report& report) {
  DeclarationRules(report).check(model.graph(), kNone);
}

}  // namespace assay::lint
