#include "reduce/passes/operator_schema.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "edit/node_places.h"

namespace assay::reduce {
namespace {

// Operators whose first output has the type and shape of their first input, whatever these are.
constexpr std::array kKeepType = {"Abs",
                                  "Acos",
                                  "Acosh",
                                  "Asin",
                                  "Asinh",
                                  "Atan",
                                  "Atanh",
                                  "BatchNormalization",
                                  "Ceil",
                                  "Celu",
                                  "Clip",
                                  "Cos",
                                  "Cosh",
                                  "CumSum",
                                  "Dropout",
                                  "Elu",
                                  "Erf",
                                  "Exp",
                                  "Floor",
                                  "Gelu",
                                  "GroupNormalization",
                                  "HardSigmoid",
                                  "HardSwish",
                                  "Hardmax",
                                  "Identity",
                                  "InstanceNormalization",
                                  "LRN",
                                  "LayerNormalization",
                                  "LeakyRelu",
                                  "Log",
                                  "LogSoftmax",
                                  "LpNormalization",
                                  "MeanVarianceNormalization",
                                  "Mish",
                                  "Neg",
                                  "Not",
                                  "Reciprocal",
                                  "Relu",
                                  "ReverseSequence",
                                  "Round",
                                  "ScatterElements",
                                  "ScatterND",
                                  "Selu",
                                  "Shrink",
                                  "Sigmoid",
                                  "Sign",
                                  "Sin",
                                  "Sinh",
                                  "Softmax",
                                  "Softplus",
                                  "Softsign",
                                  "Sqrt",
                                  "Tan",
                                  "Tanh",
                                  "ThresholdedRelu",
                                  "Trilu"};

std::string canonical(const std::string& domain) {
  return domain == "ai.onnx" ? "" : domain;
}

const onnx::OpSchema::FormalParameter* formal(const std::vector<onnx::OpSchema::FormalParameter>& all, int index) {
  if (all.empty() || index < 0) return nullptr;
  const auto at = static_cast<std::size_t>(index);
  if (at < all.size()) return &all[at];
  return all.back().GetOption() == onnx::OpSchema::Variadic ? &all.back() : nullptr;
}

}  // namespace

const onnx::OpSchema* operator_schema(const model::Model& model, const onnx::NodeProto& node) {
  const std::string domain = canonical(node.domain());
  const auto is_it = [&](const onnx::FunctionProto& function) {
    return function.name() == node.op_type() && canonical(function.domain()) == domain;
  };
  if (std::ranges::any_of(model.proto.functions(), is_it)) return nullptr;
  for (const onnx::OperatorSetIdProto& opset : model.proto.opset_import()) {
    if (canonical(opset.domain()) != domain) continue;
    return onnx::OpSchemaRegistry::Schema(node.op_type(), static_cast<int>(opset.version()), domain);
  }
  return nullptr;
}

const onnx::OpSchema::FormalParameter* formal_input(const onnx::OpSchema& schema, int index) {
  return formal(schema.inputs(), index);
}

const onnx::OpSchema::FormalParameter* formal_output(const onnx::OpSchema& schema, int index) {
  return formal(schema.outputs(), index);
}

bool keeps_type(const onnx::NodeProto& node) {
  return std::ranges::any_of(kKeepType, [&](const char* name) { return edit::is_operator(node, name); });
}

}  // namespace assay::reduce
