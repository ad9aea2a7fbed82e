#include "reduce/passes/dimensions/dimensions.h"

#include <algorithm>
#include <map>

namespace assay::reduce {

Dimensions::Dimensions(const onnx::GraphProto& graph, const edit::ValueInfos& known) {
  for (const onnx::TensorProto& weight : graph.initializer()) {
    add(weight.name(), Shape(weight.dims().begin(), weight.dims().end()));
  }
  for (const onnx::SparseTensorProto& weight : graph.sparse_initializer()) {
    add(weight.values().name(), Shape(weight.dims().begin(), weight.dims().end()));
    fix(weight.values().name());  // no change cuts a sparse weight
  }
  for (const onnx::ValueInfoProto& value : graph.input()) add(value.name(), value.type());
  for (const auto& [name, value] : known) add(name, value.type());
  for (const onnx::ValueInfoProto& value : graph.output()) add(value.name(), value.type());
}

void Dimensions::add(const std::string& name, const onnx::TypeProto& type) {
  if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return;
  Shape shape;
  for (const auto& dim : type.tensor_type().shape().dim()) shape.push_back(dim.has_dim_value() ? dim.dim_value() : -1);
  add(name, std::move(shape));
}

void Dimensions::add(const std::string& name, Shape shape) {
  const auto [at, added] = tensors_.try_emplace(name);
  if (!added) return;
  at->second.first = parents_.size();
  for (const std::int64_t size : shape) {
    parents_.push_back(parents_.size());
    fixed_.push_back(size < 0);
  }
  at->second.shape = std::move(shape);
}

const Dimensions::Shape* Dimensions::shape(const std::string& tensor) const {
  const auto at = tensors_.find(tensor);
  return at == tensors_.end() ? nullptr : &at->second.shape;
}

std::size_t Dimensions::root(std::size_t id) const {
  while (parents_[id] != id) {
    parents_[id] = parents_[parents_[id]];
    id = parents_[id];
  }
  return id;
}

void Dimensions::join(const std::string& a, std::size_t axis_of_a, const std::string& b, std::size_t axis_of_b) {
  const auto first = tensors_.find(a);
  const auto second = tensors_.find(b);
  const bool has_first = first != tensors_.end() && axis_of_a < first->second.shape.size();
  const bool has_second = second != tensors_.end() && axis_of_b < second->second.shape.size();
  if (!has_first || !has_second || first->second.shape[axis_of_a] != second->second.shape[axis_of_b]) {
    fix(a, axis_of_a);
    fix(b, axis_of_b);
    return;
  }
  const std::size_t one = root(first->second.first + axis_of_a);
  const std::size_t other = root(second->second.first + axis_of_b);
  const bool fixed = fixed_[one] || fixed_[other];
  parents_[one] = other;
  fixed_[other] = fixed;
}

void Dimensions::fix(const std::string& tensor, std::size_t axis) {
  const auto at = tensors_.find(tensor);
  if (at != tensors_.end() && axis < at->second.shape.size()) fixed_[root(at->second.first + axis)] = true;
}

void Dimensions::fix(const std::string& tensor) {
  const auto at = tensors_.find(tensor);
  if (at == tensors_.end()) return;
  for (std::size_t axis = 0; axis < at->second.shape.size(); ++axis) fix(tensor, axis);
}

std::vector<Dimensions::Class> Dimensions::classes(bool fixed) const {
  std::map<std::string_view, const Entry*> sorted;
  for (const auto& [name, entry] : tensors_) sorted.emplace(name, &entry);
  std::vector<Class> classes;
  std::unordered_map<std::size_t, std::size_t> by_root;
  for (const auto& [name, entry] : sorted) {
    for (std::size_t axis = 0; axis < entry->shape.size(); ++axis) {
      const std::size_t id = root(entry->first + axis);
      if (fixed_[id] != fixed || entry->shape[axis] < 2) continue;
      const auto [at, added] = by_root.try_emplace(id, classes.size());
      if (added) classes.push_back({entry->shape[axis], {}});
      classes[at->second].members.emplace_back(name, static_cast<int>(axis));
    }
  }
  return classes;
}

}  // namespace assay::reduce
