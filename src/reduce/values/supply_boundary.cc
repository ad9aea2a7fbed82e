// A check feeds the inputs of a candidate with values that it generates, or has recorded by name. For data, generated
// floats are as good as any. Generated shapes and indices produce a model that can't run, and scalars in the middle of
// a model are mostly derived from shapes, too (the root of a width, one over a length). So such tensors are frozen to
// their values in the whole model. Because these values belong to one set of input shapes, all inputs get those shapes
// as well.
#include "reduce/values/supply_boundary.h"

#include <algorithm>
#include <utility>

#include "edit/assume_type.h"
#include "edit/fits.h"
#include "model/inference/tensor_bytes.h"
#include "model/shapes.h"
#include "reduce/values/infer_static_shapes.h"
#include "tensor/element_type.h"

namespace assay::reduce {
namespace {

constexpr std::uint64_t kMostFrozenBytes = std::uint64_t{64} << 20;

}  // namespace

bool holds_settings(const onnx::ValueInfoProto* value) {
  if (value == nullptr || !value->type().has_tensor_type()) return false;
  if (is_scalar(value)) return true;
  const auto type = static_cast<tensor::ElementType>(value->type().tensor_type().elem_type());
  switch (tensor::info(type).kind) {
    case tensor::ElementKind::signed_integer:
    case tensor::ElementKind::unsigned_integer:
    case tensor::ElementKind::boolean:
      return true;
    default:
      return false;
  }
}

bool is_scalar(const onnx::ValueInfoProto* value) {
  if (value == nullptr || !value->type().has_tensor_type()) return false;
  const onnx::TypeProto::Tensor& type = value->type().tensor_type();
  return type.has_shape() && type.shape().dim_size() == 0;
}

bool is_large(const onnx::ValueInfoProto* value) {
  return value != nullptr && model::static_bytes(*value).value_or(0) > kMostFrozenBytes;
}

bool has_fixed_sizes(const onnx::ValueInfoProto& value) {
  return !value.type().has_tensor_type() || model::is_static(model::tensor_info(value));
}

bool all_input_sizes_known(const model::Model& model) {
  return std::ranges::all_of(model.graph().input(), has_fixed_sizes);
}

edit::TensorFacts with_reference_shapes(const edit::TensorFacts& facts, Reference& reference) {
  const edit::Subject& subject = facts.subject();
  std::vector<std::string> names;
  for (const edit::NodeId node : subject.nodes()) {
    for (const edit::TensorId output : subject.view().outputs(node)) {
      if (subject.view().producer(output) == node) names.emplace_back(subject.view().name(output));
    }
  }
  for (edit::TensorId id = 0; id < subject.view().tensor_count(); ++id) {
    if (subject.view().is_graph_input(id)) names.emplace_back(subject.view().name(id));
  }
  std::vector<edit::SeenShape> seen;
  for (const auto& [name, value] : reference.available(names)) {
    seen.push_back({subject.view().find(name), value.type(), value.shape()});
  }
  return facts.replaced_by(seen);
}

BoundarySupply::BoundarySupply(edit::TensorFacts facts, Reference* reference, CutValues side_values, base::Log& log)
    : subject_(facts.subject()),
      facts_(std::move(facts)),
      reference_(reference),
      side_values_(side_values),
      log_(log),
      input_sizes_are_known_(all_input_sizes_known(subject_.model())) {}

BoundarySupply BoundarySupply::with(Reference& reference) const {
  BoundarySupply result = *this;
  result.reference_ = &reference;
  result.told_ = true;
  return result;
}

bool BoundarySupply::is_constant_data(edit::TensorId id) const {
  return !subject_.varies(id) && !is_large(facts_.find(id));
}

bool BoundarySupply::freezes(edit::TensorId id) const {
  if (reference_ == nullptr || subject_.view().is_graph_input(id)) return false;
  if (side_values_ == CutValues::input) return false;
  if (side_values_ == CutValues::freeze || holds_settings(facts_.find(id))) return true;
  return side_values_ == CutValues::automatic && is_constant_data(id);
}

tensor::NamedTensors BoundarySupply::ask(const Tensors& ids) {
  std::vector<std::string> names;
  for (const edit::TensorId id : ids) names.emplace_back(subject_.view().name(id));
  tensor::NamedTensors values = reference_->available(names);
  if (values.size() < names.size() && !std::exchange(told_, true)) {
    log_.verbose("Some values can't be computed. Tensors from other branches that have no value become inputs.");
  }
  return values;
}

const std::map<edit::TensorId, edit::SeenShape>& BoundarySupply::inferred_shapes() {
  if (inferred_) return *inferred_;
  std::vector<std::string> open;
  for (const onnx::ValueInfoProto& input : subject_.model().graph().input()) {
    if (!has_fixed_sizes(input)) open.push_back(input.name());
  }
  const tensor::NamedTensors inputs = open.empty() ? tensor::NamedTensors() : reference_->available(open);
  inferred_ = std::make_shared<const std::map<edit::TensorId, edit::SeenShape>>(shapes_for_inputs(subject_, inputs));
  return *inferred_;
}

// A run tells more, but takes long in a large model. It is needed if inference knows too little, or contradicts what is
// known otherwise: then only a run shows who is right.
tensor::NamedTensors BoundarySupply::learn(const Tensors& ids, edit::CandidateFacts& facts, Tensors asked) {
  const auto& inferred = inferred_shapes();
  for (const edit::TensorId id : ids) {
    const auto found = inferred.find(id);
    if (found != inferred.end() && edit::fits(found->second.type, found->second.shape, facts_.find(id))) {
      facts.see(found->second);
    } else if (std::ranges::find(asked, id) == asked.end()) {
      asked.push_back(id);
    }
  }
  if (asked.empty()) return {};
  tensor::NamedTensors values = ask(asked);
  for (const edit::TensorId id : asked) {
    const tensor::Tensor* value = values.find(subject_.view().name(id));
    if (value != nullptr) facts.see({id, value->type(), value->shape()});
  }
  return values;
}

void BoundarySupply::freeze_cut(CompleteSelection& candidate, const Tensors& cut, bool freeze_all) {
  if (reference_ == nullptr) return;
  const Tensors needed = edit::boundary(subject_, candidate.selection);
  Tensors sides;
  std::ranges::copy_if(needed, std::back_inserter(sides), [&](edit::TensorId id) {
    return std::ranges::find(cut, id) == cut.end() && (freeze_all || freezes(id));
  });
  if (sides.empty()) return;
  const tensor::NamedTensors values = learn(needed, candidate.facts, sides);
  for (const edit::TensorId id : sides) {
    const tensor::Tensor* value = values.find(subject_.view().name(id));
    if (value != nullptr) candidate.selection.frozen.emplace(id, *value);
  }
}

void BoundarySupply::learn_missing(CompleteSelection& candidate) {
  if (reference_ == nullptr) return;
  const auto& [selection, facts] = candidate;
  Tensors unknown;
  for (const edit::TensorId id : edit::boundary(subject_, selection)) {
    const bool is_known = selection.fixed_shapes ? facts.has_sizes(id) : facts.has_rank(id);
    if (!is_known) unknown.push_back(id);
  }
  for (const edit::TensorId id : selection.outputs) {
    if (!facts.has_rank(id)) unknown.push_back(id);
  }
  if (!unknown.empty()) learn(unknown, candidate.facts);
}

CompleteSelection BoundarySupply::extend(CompleteSelection candidate,
                                         bool (edit::CandidateFacts::*enough)(edit::TensorId) const) const {
  for (;;) {
    Tensors unknown;
    for (const edit::TensorId id : edit::boundary(subject_, candidate.selection)) {
      if (!(candidate.facts.*enough)(id) && subject_.view().producer(id) != edit::kNone) unknown.push_back(id);
    }
    if (unknown.empty()) return candidate;
    candidate.selection = edit::with_producers(subject_, std::move(candidate.selection), unknown);
  }
}

CompleteSelection BoundarySupply::prepare(edit::Selection selection, const Tensors& cut, bool freeze_all) {
  CompleteSelection candidate{std::move(selection), facts_};
  freeze_cut(candidate, cut, freeze_all);
  edit::Selection& completed = candidate.selection;
  completed.fixed_shapes = completed.fixed_shapes || input_sizes_are_known_ || !completed.frozen.empty();
  learn_missing(candidate);
  return candidate;
}

CompleteSelection BoundarySupply::complete(edit::Selection selection, const Tensors& cut, std::size_t limit,
                                           bool freeze_all) {
  CompleteSelection candidate = prepare(std::move(selection), cut, freeze_all);
  CompleteSelection ranked = extend(candidate, &edit::CandidateFacts::can_be_fed);
  const std::size_t nodes = ranked.selection.nodes.size();
  if (nodes < limit || nodes == candidate.selection.nodes.size()) return ranked;
  return extend(std::move(candidate), &edit::CandidateFacts::has_tensor_type);
}

bool BoundarySupply::freeze(edit::Selection& selection, const Tensors& tensors) {
  if (reference_ == nullptr) return false;
  const tensor::NamedTensors values = ask(tensors);
  for (const edit::TensorId id : tensors) {
    const tensor::Tensor* value = values.find(subject_.view().name(id));
    // Sizes may have been reduced since that run.
    if (value == nullptr || !edit::fits(*value, facts_.find(id))) return false;
  }
  for (const edit::TensorId id : tensors) selection.frozen.emplace(id, *values.find(subject_.view().name(id)));
  return true;
}

BoundarySupply::Tensors BoundarySupply::without_rank(const CompleteSelection& candidate) const {
  Tensors result;
  for (const edit::TensorId id : edit::boundary(subject_, candidate.selection)) {
    if (!candidate.facts.can_be_fed(id) && !subject_.view().is_graph_input(id)) result.push_back(id);
  }
  return result;
}

std::optional<CompleteSelection> BoundarySupply::complete(edit::Selection selection, const Tensors& cut,
                                                          const Supplied& supplied, UnknownRank rank) {
  if (!supplied.frozen.empty() && !freeze(selection, supplied.frozen)) return std::nullopt;
  Tensors inputs = cut;
  inputs.insert(inputs.end(), supplied.inputs.begin(), supplied.inputs.end());
  selection.fixed_shapes = supplied.fixed_shapes;
  CompleteSelection candidate = prepare(std::move(selection), inputs, false);
  if (supplied.fixed_shapes) {
    const auto is_fixed = [&](edit::TensorId id) {
      const onnx::ValueInfoProto* value = candidate.facts.find_static(id);
      return value != nullptr && model::is_static(model::tensor_info(*value));
    };
    if (!std::ranges::all_of(edit::boundary(subject_, candidate.selection), is_fixed)) return std::nullopt;
  }
  for (const edit::TensorId id : without_rank(candidate)) {
    if (rank == UnknownRank::refuse) return std::nullopt;
    if (!candidate.facts.has_type(id)) candidate.facts.assume_type(id, edit::assumed_type(subject_, id));
  }
  return candidate;
}

}  // namespace assay::reduce
