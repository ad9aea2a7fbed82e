// Nodes are referred to by their first output instead of an index or a name. Indices change as soon as another change
// removes a node, and names are optional and may be used twice; outputs are unique in a valid graph.
//
// A body reads a tensor of the graph around it by name alone, unless it defines that name itself. So is_read() looks
// into bodies, but not into those that define the name, and FreshNames also avoids names that are only read.
#include "reduce/candidates/body_graphs.h"

#include <algorithm>
#include <utility>

#include "edit/changes/known_value_infos.h"
#include "edit/rename_tensors.h"
#include "edit/unused_name.h"
#include "model/graph_view.h"
#include "model/shapes.h"

namespace assay::reduce {
namespace {

constexpr std::size_t kMaxDepth = 16;

void collect(const Place& place, std::vector<Place>& places) {
  if (place.path.steps.size() >= kMaxDepth) return;
  for (const onnx::NodeProto& node : place.graph->node()) {
    if (edit::name_of(node).empty()) continue;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (!attribute.has_g()) continue;
      Place body{place.path, &attribute.g()};
      body.path.steps.push_back({edit::name_of(node), attribute.name()});
      places.push_back(body);
      collect(body, places);
    }
  }
}

template <class Values>
const onnx::ValueInfoProto* find_typed(const Values& values, const std::string& name) {
  for (const onnx::ValueInfoProto& value : values) {
    if (value.name() == name && value.type().tensor_type().elem_type() != 0) return &value;
  }
  return nullptr;
}

const onnx::TensorShapeProto* shape_of(const onnx::ValueInfoProto& value) {
  return value.type().tensor_type().has_shape() ? &value.type().tensor_type().shape() : nullptr;
}

// Sequences are of the same type even if their tensors have other sizes, since these may differ within a sequence.
bool same_container(const onnx::TypeProto& a, const onnx::TypeProto& b) {
  if (a.value_case() != b.value_case()) return false;
  if (a.has_sequence_type()) return same_container(a.sequence_type().elem_type(), b.sequence_type().elem_type());
  if (a.has_optional_type()) return same_container(a.optional_type().elem_type(), b.optional_type().elem_type());
  return a.has_tensor_type() && a.tensor_type().elem_type() == b.tensor_type().elem_type();
}

bool same_size(const onnx::TensorShapeProto::Dimension& a, const onnx::TensorShapeProto::Dimension& b) {
  if (a.has_dim_value() || b.has_dim_value()) {
    return a.has_dim_value() && b.has_dim_value() && a.dim_value() == b.dim_value();
  }
  return !a.dim_param().empty() && a.dim_param() == b.dim_param();
}

}  // namespace

std::vector<Place> graphs_of(const onnx::GraphProto& graph) {
  std::vector<Place> places{{{}, &graph}};
  collect({{}, &graph}, places);
  return places;
}

std::vector<Place> bodies_of(const onnx::GraphProto& graph) {
  std::vector<Place> places;
  collect({{}, &graph}, places);
  return places;
}

edit::NodeRef reference_to(const Place& place, const onnx::NodeProto& node) {
  return {.graph = place.path, .output = edit::name_of(node)};
}

const onnx::GraphProto* find_body(const onnx::NodeProto& node, std::string_view attribute) {
  const onnx::AttributeProto* found = find_attribute(node, attribute);
  return found != nullptr && found->has_g() ? &found->g() : nullptr;
}

bool is_read(const onnx::GraphProto& graph, std::string_view tensor) {
  for (const onnx::NodeProto& node : graph.node()) {
    if (std::find(node.input().begin(), node.input().end(), tensor) != node.input().end()) return true;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (!attribute.has_g() || defines(attribute.g(), tensor)) continue;
      if (is_read(attribute.g(), tensor) || is_output(attribute.g(), tensor)) return true;
    }
  }
  return false;
}

bool is_output(const onnx::GraphProto& graph, std::string_view tensor) {
  return std::any_of(graph.output().begin(), graph.output().end(),
                     [&](const onnx::ValueInfoProto& output) { return output.name() == tensor; });
}

bool defines(const onnx::GraphProto& graph, std::string_view tensor) {
  bool found = false;
  edit::visit_own_names(graph, [&](const std::string& name) { found = found || name == tensor; });
  return found;
}

std::optional<onnx::ValueInfoProto> type_of(const onnx::GraphProto& graph, const std::string& tensor,
                                            const edit::ValueInfos& known) {
  const onnx::ValueInfoProto* declared = find_typed(graph.value_info(), tensor);
  if (declared == nullptr) declared = find_typed(graph.input(), tensor);
  if (declared == nullptr) declared = find_typed(graph.output(), tensor);
  if (declared != nullptr && shape_of(*declared) != nullptr) return *declared;
  for (const onnx::TensorProto& weight : graph.initializer()) {
    if (weight.name() == tensor) return model::to_value_info(weight);
  }
  const onnx::ValueInfoProto* value = edit::find_known(known, tensor);
  if (value != nullptr && (declared == nullptr || same_container(declared->type(), value->type()))) return *value;
  return declared != nullptr ? std::optional(*declared) : std::nullopt;
}

bool has_shape(const onnx::ValueInfoProto& value) {
  return value.type().tensor_type().elem_type() != 0 && value.type().tensor_type().has_shape();
}

bool same_type(const onnx::ValueInfoProto& a, const onnx::ValueInfoProto& b) {
  if (!same_container(a.type(), b.type())) return false;
  if (!a.type().has_tensor_type()) return true;
  const onnx::TensorShapeProto* first = shape_of(a);
  const onnx::TensorShapeProto* second = shape_of(b);
  return first != nullptr && second != nullptr &&
         std::equal(first->dim().begin(), first->dim().end(), second->dim().begin(), second->dim().end(), same_size);
}

bool same_type(std::string_view a, std::string_view b, const edit::ValueInfos& known) {
  const onnx::ValueInfoProto* first = edit::find_known(known, a);
  const onnx::ValueInfoProto* second = edit::find_known(known, b);
  return first != nullptr && second != nullptr && same_type(*first, *second);
}

FreshNames::FreshNames(const onnx::GraphProto& graph) {
  edit::visit_all_names(graph, [&](const std::string& name) { ++count_[name]; });
  for (const Place& place : graphs_of(graph)) {  // names that are read but never defined aren't free either
    for (const std::string& name : model::captured_names(*place.graph)) count_.try_emplace(name, 1);
  }
}

std::string FreshNames::make(const std::string& wish) {
  std::string name = edit::unused_name(
      wish, [&](const std::string& taken) { return count(taken) > 0; }, 1);
  ++count_[name];
  return name;
}

std::string FreshNames::keep_or_make(const std::string& name) {
  if (count(name) > 1) return make(name);
  ++count_[name];
  return name;
}

int FreshNames::count(const std::string& name) const {
  const auto at = count_.find(name);
  return at == count_.end() ? 0 : at->second;
}

onnx::TensorProto int64_scalar(const std::string& name, std::int64_t value) {
  onnx::TensorProto constant;
  constant.set_name(name);
  constant.set_data_type(onnx::TensorProto::INT64);
  constant.add_int64_data(value);
  return constant;
}

onnx::TensorProto bool_scalar(const std::string& name, bool value) {
  onnx::TensorProto constant;
  constant.set_name(name);
  constant.set_data_type(onnx::TensorProto::BOOL);
  constant.add_int32_data(value ? 1 : 0);
  return constant;
}

}  // namespace assay::reduce
