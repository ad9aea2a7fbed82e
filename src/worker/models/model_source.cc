#include "worker/models/model_source.h"

#include <utility>

namespace assay::worker {

base::Expected<ModelSource> model_source(const model::Model& model, std::uint64_t inline_limit) {
  ASSAY_ASSIGN(model::ReferencedModel referenced, model::serialize_by_reference(model, inline_limit));
  return ModelBytes{tensor::Buffer::own(std::move(referenced.bytes)), std::move(referenced.external_data_dir)};
}

}  // namespace assay::worker
