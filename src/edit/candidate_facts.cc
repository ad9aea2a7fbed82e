#include "edit/candidate_facts.h"

#include <string>

#include "model/shapes.h"

namespace assay::edit {

void CandidateFacts::assume_type(TensorId id, std::int32_t element_type) {
  onnx::ValueInfoProto& value = seen_[id];
  value.set_name(std::string(facts_.subject().view().name(id)));
  value.mutable_type()->mutable_tensor_type()->set_elem_type(element_type);
}

const onnx::ValueInfoProto* CandidateFacts::find(TensorId id) const {
  const onnx::ValueInfoProto* known = facts_.find(id);
  return names_rank(known) ? known : find_static(id);
}

const onnx::ValueInfoProto* CandidateFacts::find_static(TensorId id) const {
  const auto seen = seen_.find(id);
  return seen != seen_.end() ? &seen->second : facts_.find(id);
}

onnx::ValueInfoProto CandidateFacts::describe_output(TensorId id) const {
  const onnx::ValueInfoProto* known = facts_.find(id);
  onnx::ValueInfoProto value;
  if (const auto seen = seen_.find(id); seen != seen_.end() && !names_rank(known)) {
    value = seen->second;
    for (auto& size : *value.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) size.Clear();
  } else if (known != nullptr) {
    const onnx::ValueInfoProto* guess = names_rank(known) ? nullptr : facts_.find_guess(id);
    value = guess != nullptr ? *guess : *known;
  }
  value.set_name(std::string(facts_.subject().view().name(id)));
  return value;
}

bool CandidateFacts::has_sizes(TensorId id) const {
  const onnx::ValueInfoProto* value = find(id);
  return names_rank(value) && model::is_static(model::tensor_info(*value));
}

}  // namespace assay::edit
