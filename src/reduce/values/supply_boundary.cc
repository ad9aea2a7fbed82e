// A check feeds the inputs of a candidate with values that it generates, or has recorded by name. For data, generated
// floats are as good as any. Generated shapes and indices produce a model that can't run, and scalars in the middle of
// a model are mostly derived from shapes, too (the root of a width, one over a length). So such tensors are frozen to
// their values in the whole model. Because these values belong to one set of input shapes, all inputs get those shapes
// as well.
#include "reduce/values/supply_boundary.h"

#include <algorithm>
#include <utility>

#include "edit/assume_type.h"
#include "model/shapes.h"
#include "model/tensor_bytes.h"
#include "tensor/element_type.h"

namespace assay::reduce {
namespace {

constexpr std::uint64_t kMostFrozenBytes = std::uint64_t{64} << 20;

bool fits(const onnx::ValueInfoProto* declared, const tensor::Tensor& value) {
  if (declared == nullptr || !declared->type().tensor_type().has_shape()) return true;
  const model::TensorInfo info = model::tensor_info(*declared);
  if (info.type != value.type() || info.shape->size() != value.shape().size()) return false;
  for (std::size_t i = 0; i < value.shape().size(); ++i) {
    const std::int64_t size = (*info.shape)[i].value;
    if (size >= 0 && size != value.shape()[i]) return false;
  }
  return true;
}

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

bool has_fixed_inputs(const model::Model& model) {
  return std::ranges::all_of(model.graph().input(), has_fixed_sizes);
}

BoundarySupply::BoundarySupply(const edit::Subject& subject, edit::TensorFacts& facts, Reference* reference,
                               SideValues side_values, base::Log& log)
    : subject_(subject),
      facts_(facts),
      reference_(reference),
      side_values_(side_values),
      log_(log),
      has_fixed_inputs_(has_fixed_inputs(subject.model())) {}

bool BoundarySupply::is_constant_data(edit::TensorId id) const {
  return !subject_.varies(id) && !is_large(facts_.find(id));
}

bool BoundarySupply::freezes(edit::TensorId id) const {
  if (reference_ == nullptr || subject_.view().is_graph_input(id)) return false;
  if (side_values_ == SideValues::input) return false;
  if (side_values_ == SideValues::freeze || holds_settings(facts_.find(id))) return true;
  return side_values_ == SideValues::automatic && is_constant_data(id);
}

tensor::NamedTensors BoundarySupply::ask(const std::vector<edit::TensorId>& ids) {
  std::vector<std::string> names;
  for (const edit::TensorId id : ids) names.emplace_back(subject_.view().name(id));
  tensor::NamedTensors values = reference_->known(names);
  for (const edit::TensorId id : ids) {
    const tensor::Tensor* value = values.find(subject_.view().name(id));
    if (value != nullptr) facts_.see(id, value->type(), value->shape());
  }
  if (values.size() < names.size() && !std::exchange(told_, true)) {
    log_.verbose("Some values can't be computed. Tensors from other branches that have no value become inputs.");
  }
  return values;
}

void BoundarySupply::freeze_sides(edit::Selection& selection, const std::vector<edit::TensorId>& cut, bool freeze_all) {
  if (reference_ == nullptr) return;
  const std::vector<edit::TensorId> needed = edit::boundary(subject_, selection);
  std::vector<edit::TensorId> sides;
  std::ranges::copy_if(needed, std::back_inserter(sides), [&](edit::TensorId id) {
    return std::ranges::find(cut, id) == cut.end() && (freeze_all || freezes(id));
  });
  if (sides.empty()) return;
  const tensor::NamedTensors values = ask(needed);
  for (const edit::TensorId id : sides) {
    const tensor::Tensor* value = values.find(subject_.view().name(id));
    if (value != nullptr) selection.frozen.emplace(id, *value);
  }
}

void BoundarySupply::learn_missing(const edit::Selection& selection) {
  if (reference_ == nullptr) return;
  std::vector<edit::TensorId> unknown;
  for (const edit::TensorId id : edit::boundary(subject_, selection)) {
    const bool is_known = selection.fixed_shapes ? facts_.has_sizes(id) : facts_.has_rank(id);
    if (!is_known) unknown.push_back(id);
  }
  for (const edit::TensorId id : selection.outputs) {
    if (!facts_.has_rank(id)) unknown.push_back(id);
  }
  if (!unknown.empty()) ask(unknown);
}

void BoundarySupply::see_all() {
  if (reference_ == nullptr) return;
  std::vector<edit::TensorId> all;
  for (const edit::NodeId node : subject_.nodes()) {
    for (const edit::TensorId output : subject_.view().outputs(node)) {
      if (subject_.view().producer(output) == node) all.push_back(output);
    }
  }
  for (edit::TensorId id = 0; id < subject_.view().tensor_count(); ++id) {
    if (subject_.view().is_graph_input(id)) all.push_back(id);
  }
  facts_.prefer_seen();
  ask(all);
}

edit::Selection BoundarySupply::extend(edit::Selection selection,
                                       bool (edit::TensorFacts::*enough)(edit::TensorId) const) const {
  for (;;) {
    std::vector<edit::TensorId> unknown;
    for (const edit::TensorId id : edit::boundary(subject_, selection)) {
      if (!(facts_.*enough)(id) && subject_.view().producer(id) != edit::kNone) unknown.push_back(id);
    }
    if (unknown.empty()) return selection;
    selection = edit::with_producers(subject_, std::move(selection), unknown);
  }
}

void BoundarySupply::prepare(edit::Selection& selection, const std::vector<edit::TensorId>& cut, bool freeze_all) {
  facts_.forget_seen();
  freeze_sides(selection, cut, freeze_all);
  selection.fixed_shapes = selection.fixed_shapes || has_fixed_inputs_ || !selection.frozen.empty();
  learn_missing(selection);
}

edit::Selection BoundarySupply::complete(edit::Selection selection, const std::vector<edit::TensorId>& cut,
                                         std::size_t limit, bool freeze_all) {
  prepare(selection, cut, freeze_all);
  edit::Selection ranked = extend(selection, &edit::TensorFacts::has_rank);
  if (ranked.nodes.size() < limit || ranked.nodes.size() == selection.nodes.size()) return ranked;
  return extend(std::move(selection), &edit::TensorFacts::has_type);
}

bool BoundarySupply::freeze(edit::Selection& selection, const std::vector<edit::TensorId>& tensors) {
  if (reference_ == nullptr) return false;
  const tensor::NamedTensors values = ask(tensors);
  for (const edit::TensorId id : tensors) {
    const tensor::Tensor* value = values.find(subject_.view().name(id));
    // Sizes may have been reduced since that run.
    if (value == nullptr || !fits(facts_.find(id), *value)) return false;
  }
  for (const edit::TensorId id : tensors) selection.frozen.emplace(id, *values.find(subject_.view().name(id)));
  return true;
}

std::vector<edit::TensorId> BoundarySupply::without_rank(const edit::Selection& selection) const {
  std::vector<edit::TensorId> result;
  for (const edit::TensorId id : edit::boundary(subject_, selection)) {
    if (!facts_.has_rank(id) && !subject_.view().is_graph_input(id)) result.push_back(id);
  }
  return result;
}

std::optional<edit::Selection> BoundarySupply::complete(edit::Selection selection,
                                                        const std::vector<edit::TensorId>& cut,
                                                        const Supplied& supplied, UnknownRank rank) {
  if (!supplied.frozen.empty() && !freeze(selection, supplied.frozen)) return std::nullopt;
  std::vector<edit::TensorId> inputs = cut;
  inputs.insert(inputs.end(), supplied.inputs.begin(), supplied.inputs.end());
  selection.fixed_shapes = supplied.fixed_shapes;
  prepare(selection, inputs, false);
  if (supplied.fixed_shapes) {
    const auto is_fixed = [&](edit::TensorId id) {
      const onnx::ValueInfoProto* value = facts_.find_static(id);
      return value != nullptr && model::is_static(model::tensor_info(*value));
    };
    if (!std::ranges::all_of(edit::boundary(subject_, selection), is_fixed)) return std::nullopt;
  }
  for (const edit::TensorId id : without_rank(selection)) {
    if (rank == UnknownRank::refuse) return std::nullopt;
    if (!facts_.has_type(id)) facts_.assume_type(id, edit::assumed_type(subject_, id));
  }
  return selection;
}

}  // namespace assay::reduce
