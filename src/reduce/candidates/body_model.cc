// A body becomes a model by declaring what it captures: weights of the outer graph are copied as initializers, other
// tensors become inputs, whose types have to be known. wrap_body() creates the change that puts a candidate back, and
// edit::apply() applies it, so the rest of the outer model is repaired as for any other change. For a body in a body,
// wrap() goes outwards level by level; a new name must not hide one of an enclosing graph.
#include "reduce/candidates/body_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "edit/changes/known_value_infos.h"
#include "edit/rename_tensors.h"
#include "model/graph_view.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/candidates/constants.h"
#include "reduce/candidates/wrap_body.h"

namespace assay::reduce {
namespace {

const onnx::NodeProto* find_node(const onnx::GraphProto& graph, const std::string& output) {
  for (const onnx::NodeProto& node : graph.node()) {
    if (reference_to({{}, &graph}, node).output == output) return &node;
  }
  return nullptr;
}

// Declares what the body reads from outside as its inputs. Returns false if a type is unknown.
bool declare_inputs(onnx::GraphProto& body, const onnx::GraphProto& outer, const edit::ValueInfos& known) {
  for (onnx::ValueInfoProto& input : *body.mutable_input()) {
    const auto type = type_of(body, input.name(), known);
    if (!type || !has_shape(*type)) return false;
    *input.mutable_type() = type->type();
  }
  for (const std::string& name : model::captured_names(body)) {
    if (const onnx::TensorProto* weight = find_weight(outer, name)) {
      *body.add_initializer() = *weight;
      continue;
    }
    auto type = type_of(outer, name, known);
    if (!type || !has_shape(*type)) return false;
    type->set_name(name);
    *body.add_input() = *std::move(type);
  }
  return true;
}

// Returns whether `graph` has a name that `before` doesn't have and `taken_in` does.
bool takes_a_name(const onnx::GraphProto& graph, const onnx::GraphProto& before, const onnx::GraphProto& taken_in) {
  const FreshNames old(before);
  const FreshNames taken(taken_in);
  bool found = false;
  edit::visit_all_names(graph, [&](const std::string& name) {
    found = found || (!name.empty() && old.count(name) == 0 && taken.count(name) > 0);
  });
  return found;
}

}  // namespace

std::vector<BodyModel> BodyModel::find(const model::Model& model, const edit::ValueInfos& known) {
  std::vector<BodyModel> bodies;
  const Place place{{}, &model.graph()};
  for (const onnx::NodeProto& node : model.graph().node()) {
    const bool known_type = is_operator(node, "If") || is_operator(node, "Loop") ||
                            (is_operator(node, "Scan") && model::default_opset(model.proto) >= 9);
    if (!known_type || reference_to(place, node).output.empty()) continue;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (!attribute.has_g() || (attribute.g().node_size() < 2 && bodies_of(attribute.g()).empty())) continue;
      BodyModel body;
      body.body_ = model;
      body.body_.graph() = attribute.g();
      if (!declare_inputs(body.body_.graph(), model.graph(), known)) continue;
      body.outer_ = model;
      body.known_ = known;
      body.node_ = reference_to(place, node);
      body.attribute_ = attribute.name();
      body.what_ = fmt::format("the body of {}", model::describe_node(node));
      bodies.push_back(std::move(body));
    }
  }
  return bodies;
}

std::vector<BodyModel> BodyModel::find_inside(std::shared_ptr<const BodyModel> around) {
  std::vector<BodyModel> bodies = find(around->body(), edit::known_value_infos(around->body()));
  for (BodyModel& body : bodies) {
    body.what_ = fmt::format("{} in {}", body.what_, around->what_);
    body.around_ = around;
  }
  return bodies;
}

edit::GraphPath BodyModel::path() const {
  edit::GraphPath path = around_ ? around_->path() : edit::GraphPath{};
  path.steps.push_back({node_.output, attribute_});
  return path;
}

std::optional<model::Model> BodyModel::wrap(const model::Model& candidate) const {
  const onnx::NodeProto* node = find_node(outer_.graph(), node_.output);
  if (node == nullptr) return std::nullopt;
  const auto change = wrap_body(outer_.graph(), known_, *node, attribute_, candidate.graph());
  if (!change) return std::nullopt;
  edit::Applied applied = edit::apply(outer_, {&*change}, known_);
  if (applied.applied != 1) return std::nullopt;
  if (around_ == nullptr) return std::move(applied.model);
  if (takes_a_name(applied.model.graph(), outer_.graph(), around_->outer_.graph())) return std::nullopt;
  return around_->wrap(applied.model);
}

}  // namespace assay::reduce
