// For the tests of surgeon and its rooms: models as text that can be compared, and a log that keeps what is written.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/printer.h>

#include <string>
#include <string_view>

#include "base/log.h"
#include "edit/model_texts.h"
#include "model/visit_tensors.h"
#include "model/weights.h"

namespace assay::surgeon {

using edit::test::parse;

// Returns ONNX's text format without value infos and with all weights in one form, so that models can be compared.
inline std::string text(const model::Model& model) {
  onnx::ModelProto proto = model.proto;
  const auto strip = [](auto& self, onnx::GraphProto& graph) -> void {
    graph.clear_value_info();
    for (onnx::NodeProto& node : *graph.mutable_node()) {
      for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g()) self(self, *attribute.mutable_g());
      }
    }
  };
  strip(strip, *proto.mutable_graph());
  model::visit_tensors(proto, [&](onnx::TensorProto& tensor, model::TensorRole) {
    tensor = model::to_proto(tensor.name(), model::read_weight(model, tensor).value());
  });
  std::string result = onnx::ProtoToString(proto.graph());
  for (const onnx::FunctionProto& function : proto.functions()) result += "\n" + onnx::ProtoToString(function);
  return result;
}

}  // namespace assay::surgeon
