#include "compare/marked_source.h"

#include <utility>

#include "edit/mark_outputs.h"
#include "model/reference_weights.h"

namespace assay::compare {

base::Expected<worker::ModelSource> marked_source(const model::Model& model, const std::vector<std::string>& tensors) {
  model::Model marked = model;
  ASSAY_TRY(edit::set_outputs(marked, tensors));
  ASSAY_ASSIGN(model::ReferencedModel referenced, model::serialize_by_reference(marked));
  return worker::ModelBytes{tensor::Buffer::own(std::move(referenced.bytes)), std::move(referenced.external_data_dir)};
}

}  // namespace assay::compare
