#include "reduce/candidates/wrap_body.h"

#include <optional>
#include <utility>

#include "model/graph_view.h"
#include "reduce/candidates/wrapping.h"

namespace assay::reduce {

onnx::AttributeProto& attribute_of(onnx::NodeProto& node, std::string_view name) {
  if (onnx::AttributeProto* attribute = find_attribute(node, name)) return *attribute;
  onnx::AttributeProto& added = *node.add_attribute();
  added.set_name(std::string(name));
  return added;
}

Wrapping::Wrapping(const onnx::GraphProto& outer, const edit::ValueInfos& known, const onnx::NodeProto& node,
                   const std::string& attribute, const onnx::GraphProto& candidate)
    : outer_(outer),
      known_(known),
      before_(node),
      old_(*find_body(node, attribute)),
      node_(node),
      candidate_(candidate),
      body_(candidate),
      names_(outer_),
      attribute_(attribute) {
  for (const onnx::ValueInfoProto& value : candidate_.input()) inputs_.insert(value.name());
  for (const onnx::ValueInfoProto& value : candidate_.output()) outputs_.emplace(value.name(), &value);
  for (const std::string& name : model::captured_names(old_)) captured_.insert(name);
  body_.clear_input();
  body_.clear_output();
  body_.set_name(old_.name());
  auto& weights = *body_.mutable_initializer();
  for (int i = weights.size() - 1; i >= 0; --i) {
    if (captured_.contains(weights.Get(i).name())) weights.DeleteSubrange(i, 1);
  }
  node_.clear_output();
}

std::optional<edit::ModelChange> Wrapping::run() {
  if (!fit() || node_.output().empty()) return std::nullopt;
  *attribute_of(node_, attribute_).mutable_g() = std::move(body_);
  edit::ReplaceNode replace{reference_to({{}, &outer_}, before_), {}};
  replace.with.push_back(std::move(node_));
  change_.primitives.emplace_back(std::move(replace));
  return std::move(change_);
}

void Wrapping::keep_state(const onnx::ValueInfoProto& in, const onnx::ValueInfoProto& out, const std::string& initial,
                          const std::string& result) {
  node_.add_input(initial);
  *body_.add_input() = in;
  *body_.add_output() = out;
  node_.add_output(result);
  placed_.insert(in.name());
}

void Wrapping::add_outer_input(onnx::ValueInfoProto value, const std::string& name) {
  value.set_name(name);
  change_.primitives.emplace_back(edit::SetInput{std::move(value)});
}

void Wrapping::add_outer_output(onnx::ValueInfoProto value, const std::string& name) {
  value.set_name(name);
  change_.primitives.emplace_back(edit::SetOutput{std::move(value)});
}

onnx::ValueInfoProto Wrapping::stacked(const onnx::ValueInfoProto& value) const {
  onnx::ValueInfoProto result = value;
  if (!has_shape(value)) return result;
  onnx::TensorShapeProto& shape = *result.mutable_type()->mutable_tensor_type()->mutable_shape();
  shape.Clear();
  *shape.add_dim() = length_;
  for (const auto& dim : value.type().tensor_type().shape().dim()) *shape.add_dim() = dim;
  return result;
}

Wrapping::Scanned Wrapping::stack_outputs(int first_old, int offset, const Scanned& old) {
  Scanned added;
  for (const onnx::ValueInfoProto& value : candidate_.output()) {
    const bool is_tensor = !value.has_type() || value.type().has_tensor_type();
    if (!is_tensor || !claim_output(value.name())) continue;
    *body_.add_output() = value;
    std::int64_t axis = 0;
    std::int64_t backward = 0;
    std::string name;
    for (int i = first_old; i < before_.output_size() && name.empty(); ++i) {
      if (old_.output(i + offset).name() != value.name()) continue;
      name = before_.output(i);
      if (const auto number = static_cast<std::size_t>(i - first_old); number < old.axes.size()) {
        axis = old.axes[number];
        backward = old.backward[number];
      }
    }
    if (name.empty()) {
      name = names_.make(value.name());
      add_outer_output(stacked(value), name);
    }
    node_.add_output(name);
    added.axes.push_back(axis);
    added.backward.push_back(backward);
  }
  return added;
}

bool Wrapping::capture_inputs(edit::Renames& renames) {
  for (const onnx::ValueInfoProto& value : candidate_.input()) {
    if (placed_.contains(value.name()) || captured_.contains(value.name())) continue;
    if (!has_shape(value)) return false;
    const std::string name = names_.keep_or_make(value.name());
    if (name != value.name()) renames.emplace(value.name(), name);
    add_outer_input(value, name);
  }
  return true;
}

std::optional<edit::ModelChange> wrap_body(const onnx::GraphProto& outer, const edit::ValueInfos& known,
                                           const onnx::NodeProto& node, const std::string& attribute,
                                           const onnx::GraphProto& candidate) {
  if (is_operator(node, "Scan")) return ScanWrapping(outer, known, node, attribute, candidate).run();
  if (is_operator(node, "Loop")) return LoopWrapping(outer, known, node, attribute, candidate).run();
  return IfWrapping(outer, known, node, attribute, candidate).run();
}

}  // namespace assay::reduce
