#include "run/marked_source.h"

#include "edit/keep_ancestors.h"
#include "edit/mark_outputs.h"
#include "worker/models/model_source.h"

namespace assay::run {

base::Expected<worker::ModelSource> marked_source(const model::Model& model, const std::vector<std::string>& tensors) {
  model::Model marked = model;
  ASSAY_TRY(edit::set_outputs(marked, tensors));
  return worker::model_source(marked);
}

base::Expected<worker::ModelSource> unmarked_source(const model::Model& model) {
  std::vector<std::string> outputs;
  for (const onnx::ValueInfoProto& output : model.graph().output()) outputs.push_back(output.name());
  return marked_source(model, outputs);
}

base::Expected<worker::ModelSource> needed_source(const model::Model& model, const std::vector<std::string>& tensors) {
  model::Model marked = model;
  ASSAY_TRY(edit::set_outputs(marked, tensors));
  edit::keep_ancestors(marked);
  return worker::model_source(marked);
}

}  // namespace assay::run
