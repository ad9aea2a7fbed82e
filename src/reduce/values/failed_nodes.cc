#include "reduce/values/failed_nodes.h"

#include "base/at.h"

namespace assay::reduce {

using base::at;

std::vector<const std::string*> FailedNodes::reasons() const {
  const model::GraphView& view = subject_.view();
  std::vector<const std::string*> reasons(at(view.tensor_count()), nullptr);
  for (const auto& [id, why] : lacking_) reasons[at(id)] = &why;
  for (const edit::NodeId node : parts_.order()) {
    const auto given_up = given_up_.find(node);
    const std::string* reason = given_up != given_up_.end() ? &given_up->second : nullptr;
    for (const edit::TensorId input : view.inputs(node)) {
      if (reason == nullptr && !subject_.is_constant(input)) reason = reasons[at(input)];
    }
    for (const edit::TensorId output : view.outputs(node)) {
      if (!replaced_.contains(output)) reasons[at(output)] = reason;
    }
  }
  return reasons;
}

}  // namespace assay::reduce
