// Removes inputs that ONNX's schema calls optional, and all but the first input of operators that combine any number of
// inputs element by element. Nodes with bodies are left alone, since their inputs belong to those of the body: a Loop
// without trip count and condition never ends. Changes of an output's type or shape aren't proposed; if that can't be
// determined, integer inputs stay.
#include <algorithm>
#include <array>

#include "edit/changes/known_value_infos.h"
#include "edit/keeps_type.h"
#include "edit/node_places.h"
#include "model/attributes.h"
#include "model/operator_schema.h"
#include "reduce/passes/infer_node.h"
#include "reduce/passes/node_passes.h"

namespace assay::reduce {
namespace {

constexpr std::array kElementwise = {"Max", "Mean", "Min", "Sum"};

class Proposer {
 public:
  explicit Proposer(const PassInput& input) : input_(input), inference_(input) {}

  void look_at(const edit::NodePlace& place) {
    const onnx::OpSchema* schema = model::operator_schema(input_.model, *place.node);
    if (schema == nullptr || model::has_body(*place.node)) return;
    const bool any_number =
        std::ranges::any_of(kElementwise, [&](auto op) { return edit::is_operator(*place.node, op); });
    for (int i = place.node->input_size() - 1; i >= 0; --i) {
      const auto* formal = model::formal_input(*schema, i);
      if (formal == nullptr || place.node->input(i).empty()) continue;
      if (formal->GetOption() == onnx::OpSchema::Optional) propose(place, i, edit::SetNodeInput{place.ref, i, ""});
      if (any_number && i > 0) propose(place, i, edit::RemoveNodeInput{place.ref, i});
    }
  }

  std::vector<edit::ModelChange> take() { return std::move(changes_); }

 private:
  // Integers are usually axes and sizes.
  bool says_shape(const std::string& name) const {
    const onnx::ValueInfoProto* known = edit::find_known(input_.known, name);
    return known == nullptr || known->type().tensor_type().elem_type() == onnx::TensorProto::INT64;
  }

  void propose(const edit::NodePlace& place, int index, edit::Primitive primitive) {
    onnx::NodeProto without = *place.node;
    if (std::holds_alternative<edit::RemoveNodeInput>(primitive)) {
      without.mutable_input()->DeleteSubrange(index, 1);
    } else {
      without.mutable_input(index)->clear();
    }
    const NodeInference::Effect effect = inference_.compare(*place.node, without);
    const bool may_go = effect == NodeInference::Effect::none ||
                        (effect == NodeInference::Effect::unknown &&
                         (edit::keeps_type(*place.node) || !says_shape(place.node->input(index))));
    if (!may_go) return;
    changes_.push_back({"input '" + place.node->input(index) + "' of " + model::describe_node(*place.node) + " removed",
                        {std::move(primitive)}});
  }

  const PassInput& input_;
  NodeInference inference_;
  std::vector<edit::ModelChange> changes_;
};

}  // namespace

std::vector<edit::ModelChange> drop_optional_inputs(const PassInput& input) {
  Proposer proposer(input);
  for (const edit::NodePlace& place : edit::node_places(input.model.graph())) proposer.look_at(place);
  return proposer.take();
}

}  // namespace assay::reduce
