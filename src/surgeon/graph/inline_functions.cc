#include "surgeon/graph/inline_functions.h"

#include <onnx/inliner/inliner.h>

#include <exception>
#include <utility>

#include "edit/visit_graphs.h"
#include "model/function_calls.h"

namespace assay::surgeon {

base::Status inline_functions(model::Model& model) {
  if (model.proto.functions_size() == 0) return {};
  onnx::ModelProto inlined = model.proto;
  const auto set_defaults = [&](onnx::NodeProto& node) {
    const onnx::FunctionProto* function = model::find_function(model.proto, node);
    if (function != nullptr) model::set_default_attributes(*function, node);
  };
  edit::visit_nodes(*inlined.mutable_graph()->mutable_node(), set_defaults);
  for (onnx::FunctionProto& function : *inlined.mutable_functions()) {
    edit::visit_nodes(*function.mutable_node(), set_defaults);
  }
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
