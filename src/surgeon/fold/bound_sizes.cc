#include "surgeon/fold/bound_sizes.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "edit/node_names.h"
#include "edit/tensor_names.h"
#include "model/inference/unbounded_sizes.h"
#include "model/shapes.h"
#include "model/weights.h"
#include "surgeon/graph/constants.h"
#include "surgeon/graph/no_such_tensor.h"
#include "tensor/convert.h"

namespace assay::surgeon {
namespace {

constexpr int kMinOfIntegers = 12;  // since this operator set, Min accepts integers

struct Bound {
  std::string tensor;
  model::NodeId producer;
  const onnx::ValueInfoProto* declared;  // of the tensor; null if there is none
  tensor::ElementType type;
  std::int64_t value;
};

constexpr auto kOption = "--set-unbounded-dds-upper-bound";

Bound bound_of(const model::GraphView& view, const std::string& name, std::int64_t limit) {
  const model::TensorId id = view.find(name);
  const onnx::ValueInfoProto* value = view.value_info(id);
  const auto type = value == nullptr ? tensor::ElementType::undefined : model::tensor_info(*value).type;
  return {name, view.producer(id), value, type == tensor::ElementType::undefined ? tensor::ElementType::int64 : type,
          limit};
}

base::Expected<std::vector<Bound>> find_bounds(const model::GraphView& view, const UpperBounds& bounds,
                                               base::Log& log) {
  std::vector<Bound> found;
  std::set<std::string> needed;
  for (const model::UnboundedSize& size : model::find_unbounded_sizes(view)) {
    needed.insert(size.tensor);
    const auto own = bounds.find(size.tensor);
    const auto at = own != bounds.end() ? own : bounds.find("");
    if (at != bounds.end()) found.push_back(bound_of(view, size.tensor, at->second));
  }
  for (const auto& [name, limit] : bounds) {
    if (name.empty() || needed.contains(name)) continue;
    if (view.find(name) == model::kNone) return base::fail(no_such_tensor(view, name, kOption));
    const Bound bound = bound_of(view, name, limit);
    if (bound.producer == model::kNone) {  // perhaps a node computed it before constants were folded
      log.warning("'{}' needs no upper bound: no node computes it", name);
      continue;
    }
    if (!tensor::is_real(bound.type) || bound.type == tensor::ElementType::boolean) {
      return base::fail(base::ErrorKind::invalid_input, fmt::format("'{}' holds no numbers", name), kOption,
                        "Name a tensor of numbers");
    }
    log.warning("'{}' doesn't decide an unknown size, or is already bounded; it is bounded because you named it", name);
    found.push_back(bound);
  }
  return found;
}

// Renames the output of the tensor's producer, adds the bound as an initializer, and returns the Min between the two
// names, which isn't in the graph yet.
onnx::NodeProto make_min(model::Model& model, const Bound& bound, edit::TensorNames& names,
                         edit::NodeNames& node_names) {
  onnx::GraphProto& graph = model.graph();
  onnx::NodeProto min;
  min.set_op_type("Min");
  node_names.give(min, bound.tensor + "_bound");
  min.add_input(names.take(bound.tensor + "_unbounded"));
  min.add_input(names.take(bound.tensor + "_upper_bound"));
  min.add_output(bound.tensor);
  for (std::string& output : *graph.mutable_node(bound.producer)->mutable_output()) {
    if (output == bound.tensor) output = min.input(0);
  }
  if (bound.declared != nullptr) {
    onnx::ValueInfoProto renamed = *bound.declared;
    renamed.set_name(min.input(0));
    *graph.add_value_info() = std::move(renamed);
  }
  const std::vector<double> value = {static_cast<double>(bound.value)};
  add_initializer(model.proto, graph, model::to_proto(min.input(1), tensor::from_doubles(bound.type, {}, value)));
  return min;
}

// Puts each node right after the one whose index is given with it.
void insert_after(onnx::GraphProto& graph, std::vector<std::pair<model::NodeId, onnx::NodeProto>> added) {
  google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
  for (int i = 0; i < graph.node_size(); ++i) {
    nodes.Add()->Swap(graph.mutable_node(i));
    for (auto& [producer, node] : added) {
      if (producer == i) *nodes.Add() = std::move(node);
    }
  }
  graph.mutable_node()->Swap(&nodes);
}

}  // namespace

base::Status bound_sizes(model::Model& model, const UpperBounds& bounds, base::Log& log) {
  const model::GraphView view(model.graph());
  ASSAY_ASSIGN(const std::vector<Bound> found, find_bounds(view, bounds, log));
  if (found.empty()) return {};
  if (model::default_opset(model.proto) < kMinOfIntegers) {
    return base::fail(base::ErrorKind::unsupported,
                      fmt::format("a bound needs operator set {}, but the model has {}", kMinOfIntegers,
                                  model::default_opset(model.proto)),
                      kOption, "Convert the model to a newer operator set first");
  }
  edit::TensorNames names(model.graph());
  edit::NodeNames node_names(model.graph());
  std::vector<std::pair<model::NodeId, onnx::NodeProto>> added;
  for (const Bound& bound : found) {
    added.emplace_back(bound.producer, make_min(model, bound, names, node_names));
    log.info("Bounded '{}' by {}", bound.tensor, bound.value);
  }
  insert_after(model.graph(), std::move(added));
  return {};
}

}  // namespace assay::surgeon
