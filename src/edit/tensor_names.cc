#include "edit/tensor_names.h"

#include "edit/rename_tensors.h"
#include "edit/unused_name.h"

namespace assay::edit {

TensorNames::TensorNames(const onnx::GraphProto& graph) {
  visit_all_names(graph, [this](const std::string& name) { taken_.insert(name); });
}

std::string TensorNames::take(const std::string& wanted, int first) {
  return unused_name(
      wanted, [this](const std::string& name) { return !add(name); }, first);
}

}  // namespace assay::edit
