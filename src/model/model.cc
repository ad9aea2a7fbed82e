#include "model/model.h"

#include <fmt/format.h>

#include "model/onnx_facts.h"

namespace assay::model {

int default_opset(const onnx::ModelProto& model) {
  return opset_version(model, kDefaultDomain);
}

std::string describe_node(const onnx::NodeProto& node, int index) {
  const bool by_output = node.name().empty() && node.output_size() > 0;
  const std::string& name = by_output ? node.output(0) : node.name();
  if (name.empty()) return fmt::format("{} (node #{})", node.op_type(), index);
  return fmt::format("{} '{}' (node #{})", node.op_type(), name, index);
}

}  // namespace assay::model
