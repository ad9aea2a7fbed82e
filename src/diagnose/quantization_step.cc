#include "diagnose/quantization_step.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "diagnose/has_nan.h"
#include "model/graph_view.h"
#include "model/weights.h"

namespace assay::diagnose {
namespace {

// Operators that pass on the values of their first input.
constexpr std::array<std::string_view, 6> kCarriers = {"Identity", "Reshape",   "Transpose",
                                                       "Squeeze",  "Unsqueeze", "Flatten"};

}  // namespace

bool is_quantized(const model::Model& model) {
  return std::ranges::any_of(model.graph().node(), [](const onnx::NodeProto& node) {
    return node.op_type().find("QuantizeLinear") != std::string::npos || node.op_type().starts_with("QLinear");
  });
}

double quantization_step(const model::Model& model, const std::string& output) {
  const model::GraphView view(model.graph());
  model::NodeId node = view.producer(view.find(output));
  for (int steps = 0; node != model::kNone && steps < view.node_count(); ++steps) {
    const onnx::NodeProto& computed = view.node(node);
    if (computed.op_type() == "DequantizeLinear" && computed.input_size() > 1) {
      const onnx::TensorProto* const scale = view.initializer(view.find(computed.input(1)));
      if (scale == nullptr) return 0;
      const auto values = model::read_weight(model, *scale);
      return values ? largest_finite(*values) : 0;
    }
    if (std::ranges::find(kCarriers, computed.op_type()) == kCarriers.end() || computed.input_size() == 0) return 0;
    node = view.producer(view.find(computed.input(0)));
  }
  return 0;
}

}  // namespace assay::diagnose
