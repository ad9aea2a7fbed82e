#include "diagnose/state.h"

#include <algorithm>

#include "model/model.h"
#include "model/source_line.h"

namespace assay::diagnose {

NodeLabel label_of(const onnx::NodeProto& node, int index) {
  return {.op_type = node.op_type(),
          .title = model::describe_node(node),
          .text = model::describe_node(node, index),
          .source = model::source_line(node)};
}

const Step* State::find(std::string_view name) const {
  const auto found = std::ranges::find(steps, name, &Step::name);
  return found == steps.end() ? nullptr : &*found;
}

}  // namespace assay::diagnose
