#include <utility>

#include "base/at.h"
#include "lint/check_nodes.h"
#include "model/inference/type_faults.h"

namespace assay::lint {

std::map<std::string, model::TensorInfo> check_types(const model::Model& model, Report& report) {
  using Kind = model::TypeFault::Kind;
  model::TypeFaults found = model::find_type_faults(model);
  for (model::TypeFault& fault : found.faults) {
    if (fault.kind == Kind::declared_shape) {
      // Such a model works in many engines.
      report.add(Severity::warning, Source::checker, std::move(fault.message), {fault.node});
    } else if (fault.kind != Kind::inference || report.nodes[base::at(fault.node)].checker != CheckResult::fails) {
      report.reject_node(fault.node, std::move(fault.message));
    }
  }
  return std::move(found.known);
}

}  // namespace assay::lint
