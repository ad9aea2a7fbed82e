#include "model/model.h"

#include <fmt/format.h>

namespace assay::model {

int default_opset(const onnx::ModelProto& model) {
  for (const onnx::OperatorSetIdProto& import : model.opset_import()) {
    if (import.domain().empty() || import.domain() == "ai.onnx") return static_cast<int>(import.version());
  }
  return 0;
}

std::string describe_node(const onnx::NodeProto& node, int index) {
  const bool by_output = node.name().empty() && node.output_size() > 0;
  const std::string& name = by_output ? node.output(0) : node.name();
  if (name.empty()) return fmt::format("{} (node #{})", node.op_type(), index);
  return fmt::format("{} '{}' (node #{})", node.op_type(), name, index);
}

}  // namespace assay::model
