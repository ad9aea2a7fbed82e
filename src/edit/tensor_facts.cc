// A declaration in the file takes precedence over an inferred type, unless the declaration lacks the rank or a size.
#include "edit/tensor_facts.h"

#include <optional>
#include <string>
#include <utility>

#include "edit/keeps_type.h"
#include "model/operator_schema.h"
#include "model/shapes.h"

namespace assay::edit {
namespace {

// Returns true if the type is declared; for tensors, also the element type.
bool names_type(const onnx::ValueInfoProto* value) {
  if (value == nullptr || !value->has_type()) return false;
  const onnx::TypeProto& type = value->type();
  if (type.has_tensor_type()) return type.tensor_type().elem_type() != onnx::TensorProto::UNDEFINED;
  return type.value_case() != onnx::TypeProto::VALUE_NOT_SET;
}

bool names_rank(const onnx::ValueInfoProto* value) {
  return names_type(value) && (!value->type().has_tensor_type() || value->type().tensor_type().has_shape());
}

// Returns the declared type with the sizes that only inference knows, or nothing if inference adds none or contradicts.
std::optional<onnx::ValueInfoProto> complete_sizes(const onnx::ValueInfoProto& declared,
                                                   const onnx::ValueInfoProto& inferred) {
  const onnx::TypeProto::Tensor& type = declared.type().tensor_type();
  const onnx::TypeProto::Tensor& other = inferred.type().tensor_type();
  if (type.elem_type() != other.elem_type() || type.shape().dim_size() != other.shape().dim_size()) return std::nullopt;
  std::optional<onnx::ValueInfoProto> completed;
  for (int i = 0; i < type.shape().dim_size(); ++i) {
    if (type.shape().dim(i).has_dim_value() || !other.shape().dim(i).has_dim_value()) continue;
    if (!completed) completed = declared;
    *completed->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(i) = other.shape().dim(i);
  }
  return completed;
}

}  // namespace

TensorFacts::TensorFacts(const Subject& subject)
    : subject_(subject), known_(static_cast<std::size_t>(subject.view().tensor_count()), nullptr) {
  for (TensorId id = 0; id < subject.view().tensor_count(); ++id) {
    known_[static_cast<std::size_t>(id)] = subject.view().value_info(id);
  }
}

base::Status TensorFacts::infer() {
  base::Status status;
  if (auto inferred = model::inferred_values(subject_.model())) {
    inferred_ = *std::move(inferred);
  } else {
    status = base::fail(std::move(inferred).error());
  }
  const auto learn = [&](const auto& values) {
    for (const onnx::ValueInfoProto& value : values) {
      const TensorId id = subject_.view().find(value.name());
      if (id == kNone) continue;
      const onnx::ValueInfoProto*& known = known_[static_cast<std::size_t>(id)];
      if (!names_rank(known)) {
        if (names_type(&value)) known = &value;
      } else if (known->type().has_tensor_type() && names_rank(&value) && value.type().has_tensor_type()) {
        if (auto completed = complete_sizes(*known, value)) known = &completed_.emplace_back(*std::move(completed));
      }
    }
  };
  learn(inferred_.output());
  learn(inferred_.value_info());
  take_types_of_signatures();
  return status;
}

// After a node at which inference fails, nothing is known. A declared output needs a type, or else the candidate isn't
// a valid model.
void TensorFacts::take_types_of_signatures() {
  const auto type_of = [&](const std::string& name) -> std::optional<std::int32_t> {
    const TensorId id = subject_.view().find(name);
    const onnx::ValueInfoProto* known = id == kNone ? nullptr : known_[static_cast<std::size_t>(id)];
    if (!names_type(known) || !known->type().has_tensor_type()) return std::nullopt;
    return known->type().tensor_type().elem_type();
  };
  for (NodeId node = 0; node < subject_.view().node_count(); ++node) {
    const auto& outputs = subject_.view().outputs(node);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i] == kNone) continue;
      const onnx::ValueInfoProto*& known = known_[static_cast<std::size_t>(outputs[i])];
      if (names_rank(known)) continue;
      onnx::ValueInfoProto value = known != nullptr ? *known : onnx::ValueInfoProto();
      value.set_name(std::string(subject_.view().name(outputs[i])));
      if (!names_type(known)) {
        const auto type =
            model::signature_type(subject_.model(), subject_.view().node(node), static_cast<int>(i), type_of);
        if (!type) continue;
        value.mutable_type()->mutable_tensor_type()->set_elem_type(*type);
      }
      if (i == 0 && keeps_rank(subject_.view().node(node))) take_rank(subject_.view().inputs(node), value);
      if (!names_type(known) || names_rank(&value)) known = &completed_.emplace_back(std::move(value));
    }
  }
}

// Sets the rank of `value` to that of the first input, with unknown dimensions.
void TensorFacts::take_rank(std::span<const TensorId> inputs, onnx::ValueInfoProto& value) const {
  const bool has_input = !inputs.empty() && inputs.front() != kNone;
  const onnx::ValueInfoProto* input = has_input ? known_[static_cast<std::size_t>(inputs.front())] : nullptr;
  if (!names_rank(input) || !input->type().has_tensor_type()) return;
  onnx::TensorShapeProto& shape = *value.mutable_type()->mutable_tensor_type()->mutable_shape();
  for (int i = 0; i < input->type().tensor_type().shape().dim_size(); ++i) shape.add_dim();
}

void TensorFacts::see(TensorId id, tensor::ElementType type, const tensor::Shape& shape) {
  model::TensorInfo info{.type = type, .shape = std::vector<model::Dimension>{}};
  for (const std::int64_t size : shape) info.shape->push_back({.value = size, .symbol = {}});
  seen_[id] = model::to_value_info(std::string(subject_.view().name(id)), info);
}

void TensorFacts::assume_type(TensorId id, std::int32_t element_type) {
  onnx::ValueInfoProto& value = seen_[id];
  value.set_name(std::string(subject_.view().name(id)));
  value.mutable_type()->mutable_tensor_type()->set_elem_type(element_type);
}

void TensorFacts::forget_seen() {
  if (!prefer_seen_) seen_.clear();
}

const onnx::ValueInfoProto* TensorFacts::find(TensorId id) const {
  const onnx::ValueInfoProto* known = known_[static_cast<std::size_t>(id)];
  if (names_rank(known) && !prefer_seen_) return known;
  const auto seen = seen_.find(id);
  return seen != seen_.end() ? &seen->second : known;
}

onnx::ValueInfoProto TensorFacts::describe_output(TensorId id) const {
  const onnx::ValueInfoProto* known = known_[static_cast<std::size_t>(id)];
  onnx::ValueInfoProto value;
  if (const auto seen = seen_.find(id); seen != seen_.end() && (!names_rank(known) || prefer_seen_)) {
    value = seen->second;
    for (auto& size : *value.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) {
      if (!prefer_seen_) size.Clear();
    }
  } else if (known != nullptr) {
    value = *known;
  }
  value.set_name(std::string(subject_.view().name(id)));
  return value;
}

const onnx::ValueInfoProto* TensorFacts::find_static(TensorId id) const {
  const auto seen = seen_.find(id);
  return seen != seen_.end() ? &seen->second : find(id);
}

bool TensorFacts::has_sizes(TensorId id) const {
  const onnx::ValueInfoProto* value = find(id);
  return names_rank(value) && model::is_static(model::tensor_info(*value));
}
bool TensorFacts::has_type(TensorId id) const {
  return names_type(find(id));
}
bool TensorFacts::has_rank(TensorId id) const {
  return names_rank(find(id));
}

}  // namespace assay::edit
