// Removes functions that nothing calls any more, because their calls were removed or inlined.
#include "edit/changes/uncalled_functions.h"
#include "reduce/passes/bodies/body_passes.h"

namespace assay::reduce {

std::vector<edit::ModelChange> drop_unused_functions(const PassInput& input) {
  if (edit::uncalled_functions(input.model.proto).empty()) return {};
  return {{"functions that nothing calls removed", {edit::RemoveDetail{edit::Detail::unused_functions}}}};
}

}  // namespace assay::reduce
