#include "reduce/candidates/uncalled_functions.h"

#include "edit/changes/remove_detail.h"

namespace assay::reduce {

std::vector<std::string> uncalled_functions(const model::Model& model) {
  onnx::ModelProto without = model.proto;
  if (!edit::remove_detail(without, edit::Detail::unused_functions)) return {};
  std::vector<std::string> names;
  int kept = 0;  // both lists are in the same order
  for (const onnx::FunctionProto& function : model.proto.functions()) {
    const bool is_kept = kept < without.functions_size() && without.functions(kept).name() == function.name() &&
                         without.functions(kept).domain() == function.domain() &&
                         without.functions(kept).overload() == function.overload();
    if (is_kept) {
      ++kept;
    } else {
      names.push_back(function.name());
    }
  }
  return names;
}

}  // namespace assay::reduce
