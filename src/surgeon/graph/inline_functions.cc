#include "surgeon/graph/inline_functions.h"

#include <onnx/inliner/inliner.h>

#include <exception>
#include <utility>

namespace assay::surgeon {

base::Status inline_functions(model::Model& model) {
  if (model.proto.functions_size() == 0) return {};
  onnx::ModelProto inlined = model.proto;
  try {
    onnx::inliner::InlineLocalFunctions(inlined);
  } catch (const std::exception& error) {
    return base::fail(base::ErrorKind::invalid_input, std::string("functions cannot be inlined: ") + error.what(),
                      model.path.string(), "Check the model's functions and their operator sets");
  }
  model.proto = std::move(inlined);
  return {};
}

}  // namespace assay::surgeon
