// Copies field by field: copying the whole model and clearing the copy would cost as much as indexing its graph.
#include "model/inference/model_frame.h"

namespace assay::model {

onnx::ModelProto model_frame(const onnx::ModelProto& model) {
  onnx::ModelProto frame;
#define ASSAY_COPY(to, from, field) \
  if ((from).has_##field()) (to).set_##field((from).field())
  ASSAY_COPY(frame, model, ir_version);
  ASSAY_COPY(frame, model, producer_name);
  ASSAY_COPY(frame, model, producer_version);
  ASSAY_COPY(frame, model, domain);
  ASSAY_COPY(frame, model, model_version);
  ASSAY_COPY(frame, model, doc_string);
  *frame.mutable_opset_import() = model.opset_import();
  *frame.mutable_metadata_props() = model.metadata_props();
  *frame.mutable_functions() = model.functions();
  *frame.mutable_configuration() = model.configuration();
  frame.mutable_unknown_fields()->MergeFrom(model.unknown_fields());
  onnx::GraphProto& graph = *frame.mutable_graph();
  ASSAY_COPY(graph, model.graph(), name);
  ASSAY_COPY(graph, model.graph(), doc_string);
  *graph.mutable_metadata_props() = model.graph().metadata_props();
  graph.mutable_unknown_fields()->MergeFrom(model.graph().unknown_fields());
#undef ASSAY_COPY
  return frame;
}

}  // namespace assay::model
