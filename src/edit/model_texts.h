// For tests: converts models from and to ONNX's text format.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/printer.h>

#include <string>

#include "model/inference/check.h"
#include "model/load.h"

namespace assay::edit::test {

inline model::Model parse(const std::string& body,
                          const std::string& header = "ir_version: 8, opset_import: [\"\" : 17]") {
  auto model = model::parse_text("<" + header + ">\n" + body);
  if (!model) ADD_FAILURE() << model.error().message() << "\n" << body;
  return model ? *std::move(model) : model::Model();
}

// Returns graph and functions as text, value infos included.
inline std::string text(const model::Model& model) {
  std::string result = onnx::ProtoToString(model.proto.graph());
  for (const onnx::FunctionProto& function : model.proto.functions()) result += "\n" + onnx::ProtoToString(function);
  return result;
}

inline void expect_valid(const model::Model& model) {
  const base::Status valid = model::check(model);
  EXPECT_TRUE(valid.has_value()) << valid.error().message() << "\n" << text(model);
}

}  // namespace assay::edit::test
