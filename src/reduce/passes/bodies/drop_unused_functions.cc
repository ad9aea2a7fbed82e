// Removes functions that nothing calls any more, because their calls were removed or inlined.
#include "edit/changes/remove_detail.h"
#include "reduce/passes/bodies/body_passes.h"

namespace assay::reduce {

std::vector<edit::ModelChange> drop_unused_functions(const PassInput& input) {
  onnx::ModelProto without = input.model.proto;
  if (!edit::remove_detail(without, edit::Detail::unused_functions)) return {};
  return {{"functions that nothing calls removed", {edit::RemoveDetail{edit::Detail::unused_functions}}}};
}

}  // namespace assay::reduce
