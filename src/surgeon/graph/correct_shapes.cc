#include "surgeon/graph/correct_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/list_first.h"
#include "model/attributes.h"
#include "model/inference/type_faults.h"
#include "model/shapes.h"

namespace assay::surgeon {
namespace {

// Returns the nodes that inference rejects together with a body.
std::vector<model::NodeId> rejected_with_body(const model::Model& model, const model::TypeFaults& found) {
  std::vector<model::NodeId> nodes;
  for (const model::TypeFault& fault : found.faults) {
    const bool is_rejected = fault.kind == model::TypeFault::Kind::inference;
    if (is_rejected && model::has_body(model.graph().node(fault.node))) nodes.push_back(fault.node);
  }
  return nodes;
}

// Inference also rejects a node if a shape that is declared in its body is false. So this removes the shapes declared
// in bodies, unless the nodes are rejected without them, too.
std::vector<CorrectedShape> correct_bodies(model::Model& model, model::TypeFaults& found) {
  const std::vector<model::NodeId> before = rejected_with_body(model, found);
  if (before.empty()) return {};
  model::Model bare = model;
  model::remove_stale_shapes_in_bodies(bare.graph());
  model::TypeFaults found_bare = model::find_type_faults(bare);
  const std::vector<model::NodeId> after = rejected_with_body(bare, found_bare);
  std::vector<CorrectedShape> corrected;
  for (const model::NodeId node : before) {
    if (std::ranges::find(after, node) != after.end()) continue;
    corrected.push_back({{},
                         fmt::format("The bodies of {} declare other shapes than their nodes compute",
                                     model::describe_node(model.graph().node(node), node))});
  }
  if (corrected.empty()) return {};
  model = std::move(bare);
  found = std::move(found_bare);
  return corrected;
}

}  // namespace

std::vector<CorrectedShape> correct_shapes(model::Model& model) {
  model::TypeFaults found = model::find_type_faults(model);
  std::vector<CorrectedShape> corrected = correct_bodies(model, found);
  for (model::TypeFault& fault : found.faults) {
    if (fault.kind != model::TypeFault::Kind::declared_shape) continue;
    corrected.push_back({std::move(fault.tensor), std::move(fault.message)});
  }
  if (corrected.empty()) return {};
  onnx::GraphProto& graph = model.graph();
  for (auto* values : {graph.mutable_output(), graph.mutable_value_info()}) {
    for (onnx::ValueInfoProto& value : *values) {
      if (std::ranges::find(corrected, value.name(), &CorrectedShape::tensor) == corrected.end()) continue;
      *value.mutable_type() = model::to_value_info(value.name(), found.known.at(value.name())).type();
    }
  }
  model::remove_stale_shapes_in_bodies(graph);
  return corrected;
}

std::string list_faults(const std::vector<CorrectedShape>& corrected) {
  constexpr std::size_t kMostListed = 3;
  std::vector<std::string> faults;
  for (const CorrectedShape& one : corrected) faults.push_back(one.fault);
  return base::list_first(std::move(faults), kMostListed, "; ");
}

}  // namespace assay::surgeon
