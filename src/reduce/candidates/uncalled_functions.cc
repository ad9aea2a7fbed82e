#include "reduce/candidates/uncalled_functions.h"

#include "edit/changes/remove_detail.h"

namespace assay::reduce {
namespace {

// Sorts the functions by whether they are called.
struct Functions {
  explicit Functions(const onnx::ModelProto& model) {
    if (model.functions().empty()) return;
    onnx::ModelProto without = model;
    edit::remove_detail(without, edit::Detail::unused_functions);
    int kept = 0;  // both lists are in the same order
    for (const onnx::FunctionProto& function : model.functions()) {
      const bool is_kept = kept < without.functions_size() && without.functions(kept).name() == function.name() &&
                           without.functions(kept).domain() == function.domain() &&
                           without.functions(kept).overload() == function.overload();
      kept += is_kept ? 1 : 0;
      (is_kept ? called : uncalled).push_back(&function);
    }
  }
  std::vector<const onnx::FunctionProto*> called, uncalled;
};

}  // namespace

std::vector<const onnx::FunctionProto*> called_functions(const model::Model& model) {
  return Functions(model.proto).called;
}

std::vector<const onnx::FunctionProto*> uncalled_functions(const model::Model& model) {
  return Functions(model.proto).uncalled;
}

}  // namespace assay::reduce
