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
  const auto producer_of = [&](const std::string& tensor) {
    const model::TensorId id = view.find(tensor);
    return id == model::kNone ? model::kNone : view.producer(id);
  };
  model::NodeId node = producer_of(output);
  for (int steps = 0; node != model::kNone && steps < view.node_count(); ++steps) {
    const onnx::NodeProto& computed = view.node(node);
    if (computed.op_type() == "DequantizeLinear" && computed.input_size() > 1) {
      const model::TensorId id = view.find(computed.input(1));
      const onnx::TensorProto* const scale = id == model::kNone ? nullptr : view.initializer(id);
      if (scale == nullptr) return 0;
      const auto values = model::read_weight(model, *scale);
      return values ? largest_finite(*values) : 0;
    }
    if (std::ranges::find(kCarriers, computed.op_type()) == kCarriers.end() || computed.input_size() == 0) return 0;
    node = producer_of(computed.input(0));
  }
  return 0;
}

}  // namespace assay::diagnose
