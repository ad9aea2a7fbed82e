#include "run/marked_source.h"

#include <utility>

#include "edit/keep_ancestors.h"
#include "edit/mark_outputs.h"
#include "model/weights/reference_weights.h"

namespace assay::run {

namespace {

base::Expected<worker::ModelSource> to_source(const model::Model& model) {
  ASSAY_ASSIGN(model::ReferencedModel referenced, model::serialize_by_reference(model));
  return worker::ModelBytes{tensor::Buffer::own(std::move(referenced.bytes)), std::move(referenced.external_data_dir)};
}

}  // namespace

base::Expected<worker::ModelSource> marked_source(const model::Model& model, const std::vector<std::string>& tensors) {
  model::Model marked = model;
  ASSAY_TRY(edit::set_outputs(marked, tensors));
  return to_source(marked);
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
  return to_source(marked);
}

}  // namespace assay::run
