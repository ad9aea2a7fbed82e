#include "edit/keeps_type.h"

#include <algorithm>
#include <array>

#include "edit/node_places.h"

namespace assay::edit {
namespace {

// Operators whose first output always has the type and shape of their first input.
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
                                  "SequenceErase",
                                  "SequenceInsert",
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

}  // namespace

bool keeps_type(const onnx::NodeProto& node) {
  return std::ranges::any_of(kKeepType, [&](const char* name) { return is_operator(node, name); });
}

bool keeps_rank(const onnx::NodeProto& node) {
  return keeps_type(node) || is_operator(node, "Transpose") || is_operator(node, "Cast");
}

}  // namespace assay::edit
