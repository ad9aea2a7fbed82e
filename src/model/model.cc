#include "model/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/onnx_facts.h"

namespace assay::model {

Model without_message(const Model& model) {
  return {.proto = {},
          .path = model.path,
          .data_folder = model.data_folder,
          .files = model.files,
          .weights_ignored = model.weights_ignored};
}

int default_opset(const onnx::ModelProto& model) {
  return opset_version(model, kDefaultDomain);
}

std::string describe_node(const onnx::NodeProto& node) {
  if (!node.name().empty()) return fmt::format("{} '{}'", node.op_type(), node.name());
  const auto named = std::ranges::find_if(node.output(), [](const std::string& name) { return !name.empty(); });
  return named == node.output().end() ? node.op_type() : fmt::format("{} '{}'", node.op_type(), *named);
}

std::string describe_node(const onnx::NodeProto& node, int index) {
  return fmt::format("{} (node #{})", describe_node(node), index);
}

}  // namespace assay::model
