#include "surgeon/graph/inline_functions.h"

#include <onnx/inliner/inliner.h>

#include <exception>
#include <utility>

#include "edit/visit_graphs.h"
#include "model/function_calls.h"

namespace assay::surgeon {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

void set_defaults(const onnx::ModelProto& model, Nodes& nodes) {
  for (onnx::NodeProto& node : nodes) {
    if (const onnx::FunctionProto* function = model::find_function(model, node)) {
      model::set_default_attributes(*function, node);
    }
    edit::visit_bodies(node, [&](onnx::GraphProto& body) { set_defaults(model, *body.mutable_node()); });
  }
}

}  // namespace

base::Status inline_functions(model::Model& model) {
  if (model.proto.functions_size() == 0) return {};
  onnx::ModelProto inlined = model.proto;
  set_defaults(model.proto, *inlined.mutable_graph()->mutable_node());
  for (onnx::FunctionProto& function : *inlined.mutable_functions()) {
    set_defaults(model.proto, *function.mutable_node());
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
