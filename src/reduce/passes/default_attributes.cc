// Removes attributes that the schema doesn't require, so that their defaults apply, and those that the schema doesn't
// know. Bodies stay, and so do attributes of a Constant, which needs one of them, and those that engines need although
// the schema calls them optional. Changes that would or might change the type or shape of a tensor that is read aren't
// proposed. A graph output that nothing reads may get other sizes: its declared sizes are left open, so that any two
// such changes can be combined.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "base/at.h"
#include "edit/graph_names.h"
#include "edit/keeps_type.h"
#include "edit/node_places.h"
#include "model/attributes.h"
#include "model/operator_schema.h"
#include "model/shapes.h"
#include "reduce/passes/infer_node.h"
#include "reduce/passes/node_passes.h"

namespace assay::reduce {
namespace {

// Optional attributes without a default that engines need: the hidden size of LSTM, GRU and RNN, the number of heads of
// RotaryEmbedding if its input has three dimensions.
constexpr std::array<std::string_view, 2> kNeeded = {"hidden_size", "num_heads"};
constexpr std::string_view kMlDomain = "ai.onnx.ml";  // its operators often need one of several attributes

bool is_required(const onnx::OpSchema& schema, const std::string& name) {
  const auto at = schema.attributes().find(name);
  if (at == schema.attributes().end()) return false;
  if (at->second.required) return true;
  const bool has_default = !at->second.default_value.name().empty();
  return !has_default && (schema.domain() == kMlDomain || std::ranges::find(kNeeded, name) != kNeeded.end());
}

onnx::NodeProto without(onnx::NodeProto node, int index) {
  node.mutable_attribute()->DeleteSubrange(index, 1);
  return node;
}

// Returns the changes that declare the outputs of a node with dynamic dimensions, or nothing if `before` and `after`
// differ too much for that, or if something depends on the sizes.
std::optional<std::vector<edit::Primitive>> open_outputs(const onnx::NodeProto& node, const edit::GraphNames& around,
                                                         const std::vector<onnx::TypeProto>& before,
                                                         const std::vector<onnx::TypeProto>& after) {
  std::vector<edit::Primitive> changes;
  for (int i = 0; i < node.output_size(); ++i) {
    const std::string& name = node.output(i);
    if (name.empty()) continue;
    const onnx::TypeProto::Tensor& was = before[base::at(i)].tensor_type();
    const onnx::TypeProto::Tensor& is = after[base::at(i)].tensor_type();
    const bool alike = was.elem_type() == is.elem_type() && was.has_shape() && is.has_shape() &&
                       was.shape().dim_size() == is.shape().dim_size();
    if (!alike || around.read.contains(name)) return std::nullopt;
    if (!around.outputs.contains(name)) continue;
    onnx::ValueInfoProto value;
    value.set_name(name);
    onnx::TypeProto::Tensor& type = *value.mutable_type()->mutable_tensor_type();
    type.set_elem_type(is.elem_type());
    model::set_rank(type, is.shape().dim_size());
    changes.emplace_back(edit::SetOutput{std::move(value)});
  }
  return changes;
}

class Proposer {
 public:
  explicit Proposer(const PassInput& input)
      : input_(input), inference_(input), names_(edit::collect_names(input.model.graph())) {}

  void look_at(const edit::NodePlace& place) {
    const onnx::OpSchema* schema = model::operator_schema(input_.model, *place.node);
    if (schema == nullptr || edit::is_operator(*place.node, "Constant")) return;
    for (int i = 0; i < place.node->attribute_size(); ++i) {
      const onnx::AttributeProto& attribute = place.node->attribute(i);
      if (model::holds_body(attribute) || is_required(*schema, attribute.name())) continue;
      propose(place, i);
    }
  }

  // Changes of sizes come last.
  std::vector<edit::ModelChange> take() {
    std::ranges::move(resizing_, std::back_inserter(changes_));
    return std::move(changes_);
  }

 private:
  void propose(const edit::NodePlace& place, int index) {
    const std::string& name = place.node->attribute(index).name();
    edit::ModelChange change{
        "attribute '" + name + "' of " + model::describe_node(*place.node) + " reset to its default",
        {edit::RemoveAttribute{place.ref, name}}};
    const NodeInference::Effect effect = inference_.compare(*place.node, without(*place.node, index));
    const bool unknown = effect == NodeInference::Effect::unknown;
    if (effect == NodeInference::Effect::none || (unknown && edit::keeps_type(*place.node))) {
      changes_.push_back(std::move(change));
      return;
    }
    if (unknown || place.graph != &input_.model.graph()) return;
    const auto before = inference_.outputs(*place.node);
    const auto after = inference_.outputs(without(*place.node, index));
    if (!before || !after) return;
    auto outputs = open_outputs(*place.node, names_.at(place.graph), *before, *after);
    if (!outputs) return;
    std::ranges::move(*outputs, std::back_inserter(change.primitives));
    resizing_.push_back(std::move(change));
  }

  const PassInput& input_;
  NodeInference inference_;
  edit::NamesByGraph names_;
  std::vector<edit::ModelChange> changes_, resizing_;
};

}  // namespace

std::vector<edit::ModelChange> default_attributes(const PassInput& input) {
  Proposer proposer(input);
  for (const edit::NodePlace& place : edit::node_places(input.model.graph())) proposer.look_at(place);
  return proposer.take();
}

}  // namespace assay::reduce
