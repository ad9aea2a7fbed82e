// A body reads tensors of the enclosing graphs by name, and these names stay valid. So opening a body means renaming:
// its inputs and outputs to what they are bound to, everything else that it defines to names that are unused in the
// whole model.
#include "reduce/passes/bodies/open_body.h"

#include <fmt/format.h>
#include <onnx/defs/attr_proto_util.h>

#include <unordered_set>
#include <utility>

#include "base/at.h"
#include "edit/rename_tensors.h"

namespace assay::reduce {
namespace {

using base::at;

edit::Renames choose_names(const onnx::GraphProto& body, const std::vector<std::string>& inputs,
                           const std::vector<std::string>& outputs, FreshNames& names, BodyIs where) {
  edit::Renames renames;
  std::unordered_set<std::string_view> made;
  for (const onnx::NodeProto& node : body.node()) made.insert(node.output().begin(), node.output().end());
  for (int i = 0; i < body.input_size(); ++i) {
    renames.emplace(body.input(i).name(), inputs[at(i)]);
  }
  for (int i = 0; i < body.output_size(); ++i) {
    const std::string& outer = outputs[at(i)];
    if (!outer.empty() && made.contains(body.output(i).name())) renames.emplace(body.output(i).name(), outer);
  }
  edit::visit_own_names(body, [&](const std::string& name) {
    if (renames.contains(name)) return;
    renames.emplace(name, where == BodyIs::in_model ? names.keep_or_make(name) : names.make(name));
  });
  return renames;
}

}  // namespace

bool OpenedBody::reads(const std::string& tensor) const {
  onnx::GraphProto graph;
  for (const onnx::NodeProto& node : nodes) *graph.add_node() = node;
  return is_read(graph, tensor);
}

std::optional<OpenedBody> open_body(const onnx::GraphProto& body, const std::vector<std::string>& inputs,
                                    const std::vector<std::string>& outputs, FreshNames& names, BodyIs where) {
  if (std::cmp_not_equal(body.input_size(), inputs.size())) return std::nullopt;
  if (std::cmp_not_equal(body.output_size(), outputs.size())) return std::nullopt;
  if (body.sparse_initializer_size() > 0) return std::nullopt;
  std::unordered_set<std::string_view> bound;
  for (const onnx::ValueInfoProto& input : body.input()) bound.insert(input.name());

  onnx::GraphProto copy = body;
  edit::rename_tensors(copy, choose_names(body, inputs, outputs, names, where));
  OpenedBody opened;
  for (int i = 0; i < copy.initializer_size(); ++i) {
    // The default of an input isn't used, since the value comes from outside.
    const bool is_default = bound.contains(body.initializer(i).name());
    if (!is_default) opened.initializers.push_back(std::move(*copy.mutable_initializer(i)));
  }
  for (onnx::NodeProto& node : *copy.mutable_node()) opened.nodes.push_back(std::move(node));
  for (int i = 0; i < copy.output_size(); ++i) {
    const std::string& outer = outputs[at(i)];
    if (outer.empty() || copy.output(i).name() == outer) continue;
    onnx::NodeProto& identity = opened.nodes.emplace_back();
    identity.set_op_type("Identity");
    identity.add_input(copy.output(i).name());
    identity.add_output(outer);
  }
  return opened;
}

edit::ModelChange put_in_place(const Place& place, const onnx::NodeProto& node, OpenedBody body, std::string what) {
  edit::ModelChange change{std::move(what), {}};
  for (onnx::TensorProto& weight : body.initializers) {
    change.primitives.emplace_back(edit::SetInitializer{place.path, std::move(weight)});
  }
  change.primitives.emplace_back(edit::ReplaceNode{reference_to(place, node), std::move(body.nodes)});
  return change;
}

void add_unsqueeze(OpenedBody& body, const std::string& from, const std::string& to, std::int64_t axis, int opset,
                   FreshNames& names) {
  onnx::NodeProto& node = body.nodes.emplace_back();
  node.set_op_type("Unsqueeze");
  node.add_input(from);
  node.add_output(to);
  if (opset >= 13) {
    const std::string axes = names.make(to + "_axes");
    body.initializers.push_back(int64_scalar(axes, axis));
    body.initializers.back().add_dims(1);
    node.add_input(axes);
  } else {
    *node.add_attribute() = onnx::MakeAttribute("axes", std::vector<std::int64_t>{axis});
  }
}

}  // namespace assay::reduce
