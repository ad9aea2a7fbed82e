// One pass over the nodes in the order of the file, which is topological in a valid model. Full shape inference would
// find more but takes seconds on a large model; a name that is missed here is refused later by the engine, by name.
#include "edit/non_tensors.h"

#include <algorithm>
#include <array>

namespace assay::edit {
namespace {

using Names = std::unordered_set<std::string_view>;

// Operators of ai.onnx and ai.onnx.ml whose outputs aren't tensors.
constexpr std::array<std::string_view, 8> kNonTensorOperators = {
    "SequenceConstruct", "SequenceEmpty",   "SequenceInsert", "SequenceErase",
    "SequenceMap",       "SplitToSequence", "Optional",       "ZipMap"};
constexpr int kMaxDepth = 64;  // limit for nested bodies

const onnx::GraphProto* body_of(const onnx::NodeProto& node) {
  const auto at = std::ranges::find_if(node.attribute(), [](const auto& attribute) { return attribute.has_g(); });
  return at == node.attribute().end() ? nullptr : &at->g();
}

void collect(const onnx::GraphProto& graph, Names& found, int depth);

// Outputs of If and Loop are the outputs of their bodies; those of a Loop's body begin with its condition.
void collect_from_body(const onnx::NodeProto& node, Names& found, int depth) {
  const onnx::GraphProto* body = body_of(node);
  if (body == nullptr || depth >= kMaxDepth) return;
  Names inner = found;
  collect(*body, inner, depth + 1);
  const int first = node.op_type() == "Loop" ? 1 : 0;
  for (int i = 0; i < node.output_size() && first + i < body->output_size(); ++i) {
    if (inner.contains(body->output(first + i).name())) found.insert(node.output(i));
  }
}

void collect(const onnx::GraphProto& graph, Names& found, int depth) {
  for (const auto* list : {&graph.input(), &graph.output(), &graph.value_info()}) {
    for (const auto& value : *list) {
      if (!may_be_tensor(value.type())) found.insert(value.name());
    }
  }
  for (const auto& node : graph.node()) {
    if (node.op_type() == "If" || node.op_type() == "Loop") {
      collect_from_body(node, found, depth);
    } else if (makes_non_tensor(node) ||
               (node.op_type() == "Identity" && node.input_size() > 0 && found.contains(node.input(0)))) {
      found.insert(node.output().begin(), node.output().end());
    }
  }
}

}  // namespace

bool makes_non_tensor(const onnx::NodeProto& node) {
  return std::ranges::find(kNonTensorOperators, node.op_type()) != kNonTensorOperators.end();
}

bool may_be_tensor(const onnx::TypeProto& type) {
  const auto value = type.value_case();
  return value == onnx::TypeProto::kTensorType || value == onnx::TypeProto::kSparseTensorType ||
         value == onnx::TypeProto::VALUE_NOT_SET;
}

std::unordered_set<std::string_view> non_tensors(const onnx::GraphProto& graph) {
  Names found;
  collect(graph, found, 0);
  return found;
}

}  // namespace assay::edit
