#include "surgeon/graph/correct_shapes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/list_first.h"
#include "model/inference/type_faults.h"
#include "model/shapes.h"
#include "model/stale_shapes.h"

namespace assay::surgeon {

std::vector<CorrectedShape> correct_shapes(model::Model& model) {
  model::TypeFaults found = model::find_type_faults(model);
  std::vector<CorrectedShape> corrected;
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
