// A declaration in the file takes precedence over an inferred type, unless the declaration lacks the rank or a size.
#include "edit/tensor_facts.h"

#include <optional>
#include <string>
#include <utility>

#include "base/at.h"
#include "edit/guess_ranks.h"
#include "edit/keeps_type.h"
#include "model/inference/infer_shapes.h"
#include "model/inference/unify_types.h"
#include "model/operator_schema.h"
#include "model/shapes.h"

namespace assay::edit {
namespace {

using base::at;

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

std::optional<std::int32_t> element_type(const onnx::ValueInfoProto* value) {
  if (!names_type(value) || !value->type().has_tensor_type()) return std::nullopt;
  return value->type().tensor_type().elem_type();
}

// Sets the rank of `value` to that of `input`, with unknown dimensions.
void take_rank(const onnx::ValueInfoProto* input, onnx::ValueInfoProto& value) {
  if (!names_rank(input) || !input->type().has_tensor_type()) return;
  model::set_rank(*value.mutable_type()->mutable_tensor_type(), input->type().tensor_type().shape().dim_size());
}

}  // namespace

bool names_type(const onnx::ValueInfoProto* value) {
  if (value == nullptr || !value->has_type()) return false;
  const onnx::TypeProto& type = value->type();
  if (type.has_tensor_type()) return type.tensor_type().elem_type() != onnx::TensorProto::UNDEFINED;
  return type.value_case() != onnx::TypeProto::VALUE_NOT_SET;
}

bool names_rank(const onnx::ValueInfoProto* value) {
  return names_type(value) && (!value->type().has_tensor_type() || value->type().tensor_type().has_shape());
}

onnx::ValueInfoProto to_value_info(const Subject& subject, const SeenShape& seen) {
  return model::to_value_info(std::string(subject.view().name(seen.id)), model::static_info(seen.type, seen.shape));
}

TensorFacts::TensorFacts(const Subject& subject, Inference inference) {
  Known known;
  known.reserve(at(subject.view().tensor_count()));
  for (TensorId id = 0; id < subject.view().tensor_count(); ++id) {
    known.emplace_back(std::shared_ptr<const void>(), subject.view().value_info(id));  // belongs to the model
  }
  const base::Status status = inference == Inference::onnx ? infer(subject, known) : base::Status{};
  auto guesses = inference == Inference::onnx ? guess(subject, known) : std::map<TensorId, onnx::ValueInfoProto>();
  facts_ = std::make_shared<const Facts>(Facts{subject, std::move(known), std::move(guesses), status});
}

TensorFacts TensorFacts::replaced_by(const std::vector<SeenShape>& seen) const {
  Known known = facts_->known;
  for (const SeenShape& one : seen) {
    known[at(one.id)] = std::make_shared<const onnx::ValueInfoProto>(to_value_info(facts_->subject, one));
  }
  return TensorFacts(
      std::make_shared<const Facts>(Facts{facts_->subject, std::move(known), facts_->guesses, facts_->inference}));
}

const onnx::ValueInfoProto* TensorFacts::find_guess(TensorId id) const {
  const auto found = facts_->guesses.find(id);
  return found == facts_->guesses.end() ? nullptr : &found->second;
}

base::Status TensorFacts::infer(const Subject& subject, Known& known) {
  base::Status status;
  onnx::GraphProto graph;
  if (auto inferred = model::inferred_values(subject.model())) {
    graph = *std::move(inferred);
  } else {
    status = base::fail(std::move(inferred).error());
  }
  const auto values = std::make_shared<const onnx::GraphProto>(std::move(graph));
  const auto learn = [&](const auto& infos) {
    for (const onnx::ValueInfoProto& value : infos) {
      const TensorId id = subject.view().find(value.name());
      if (id == kNone) continue;
      std::shared_ptr<const onnx::ValueInfoProto>& so_far = known[at(id)];
      if (!names_rank(so_far.get())) {
        if (names_type(&value)) so_far = {values, &value};
      } else if (so_far->type().has_tensor_type() && names_rank(&value) && value.type().has_tensor_type()) {
        auto completed = complete_sizes(*so_far, value);
        if (completed) so_far = std::make_shared<const onnx::ValueInfoProto>(*std::move(completed));
      }
    }
  };
  learn(values->output());
  learn(values->value_info());
  add_signature_types(subject, known);
  add_unified_types(subject, known);
  return status;
}

// After a node at which inference fails, nothing is known. A declared output needs a type, or else the candidate isn't
// a valid model.
void TensorFacts::add_signature_types(const Subject& subject, Known& known) {
  const model::GraphView& view = subject.view();
  const auto find = [&](const std::string& name) {
    const TensorId id = view.find(name);
    return id == kNone ? nullptr : known[at(id)].get();
  };
  const auto type_of = [&](const std::string& name) { return element_type(find(name)); };
  for (const onnx::NodeProto& node : view.graph().node()) {
    for (int i = 0; i < node.output_size(); ++i) {
      const std::string& name = node.output(i);
      const onnx::ValueInfoProto* so_far = find(name);
      if (name.empty() || names_rank(so_far)) continue;
      onnx::ValueInfoProto value = so_far != nullptr ? *so_far : onnx::ValueInfoProto();
      value.set_name(name);
      if (!names_type(so_far)) {
        const auto type = model::signature_type(subject.model(), node, i, type_of);
        if (!type) continue;
        value.mutable_type()->mutable_tensor_type()->set_elem_type(*type);
      }
      if (i == 0 && keeps_rank(node) && node.input_size() > 0) take_rank(find(node.input(0)), value);
      if (names_type(so_far) && !names_rank(&value)) continue;
      known[at(view.find(name))] = std::make_shared<const onnx::ValueInfoProto>(std::move(value));
    }
  }
}

// Custom operators have no schema, so what they compute, and what is computed from that, has had no type so far.
void TensorFacts::add_unified_types(const Subject& subject, Known& known) {
  const model::GraphView& view = subject.view();
  const auto is_unknown = [&](TensorId id) { return view.producer(id) != kNone && !names_type(known[at(id)].get()); };
  bool any = false;
  for (TensorId id = 0; id < view.tensor_count() && !any; ++id) any = is_unknown(id);
  if (!any) return;
  const auto type_of = [&](const std::string& name) {
    const TensorId id = view.find(name);
    return id == kNone ? std::nullopt : element_type(known[at(id)].get());
  };
  for (const auto& [name, type] : model::unify_types(subject.model(), type_of)) {
    const TensorId id = view.find(name);
    if (id == kNone || !is_unknown(id)) continue;
    onnx::ValueInfoProto value;
    value.set_name(name);
    value.mutable_type()->mutable_tensor_type()->set_elem_type(type);
    known[at(id)] = std::make_shared<const onnx::ValueInfoProto>(std::move(value));
  }
}

std::map<TensorId, onnx::ValueInfoProto> TensorFacts::guess(const Subject& subject, const Known& known) {
  const model::GraphView& view = subject.view();
  const auto lacks_rank = [&](TensorId id) {
    return view.producer(id) != kNone && names_type(known[at(id)].get()) && !names_rank(known[at(id)].get());
  };
  bool any = false;
  for (TensorId id = 0; id < view.tensor_count() && !any; ++id) any = lacks_rank(id);
  std::map<TensorId, onnx::ValueInfoProto> result;
  if (!any) return result;
  const auto find = [&](const std::string& name) {
    const TensorId id = view.find(name);
    return id == kNone ? nullptr : known[at(id)].get();
  };
  for (auto& [name, value] : guess_ranks(subject.model(), find)) {
    const TensorId id = view.find(name);
    if (id != kNone && lacks_rank(id)) result.emplace(id, std::move(value));
  }
  return result;
}

}  // namespace assay::edit
