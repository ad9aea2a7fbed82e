#include "model/onnx_facts.h"

#include <gtest/gtest.h>

namespace assay::model {
namespace {

TEST(OnnxFacts, TheDefaultDomainHasTwoSpellings) {
  EXPECT_TRUE(is_default_domain(""));
  EXPECT_TRUE(is_default_domain("ai.onnx"));
  EXPECT_FALSE(is_default_domain("ai.onnx.ml"));
  EXPECT_EQ(domain_key("ai.onnx"), "");
  EXPECT_EQ(domain_key("com.microsoft"), "com.microsoft");
  EXPECT_EQ(domain_name(""), "ai.onnx");
  EXPECT_EQ(domain_name("ai.onnx.ml"), "ai.onnx.ml");
}

TEST(OnnxFacts, OpsetsAreFoundInModelsAndFunctions) {
  onnx::ModelProto model;
  EXPECT_EQ(opset_version(model, ""), 0);
  for (const auto& [domain, version] : {std::pair("ai.onnx.ml", 3), {"ai.onnx", 21}, {"", 13}}) {
    onnx::OperatorSetIdProto& import = *model.add_opset_import();
    import.set_domain(domain);
    import.set_version(version);
  }
  EXPECT_EQ(opset_version(model, ""), 21) << "the first one counts";
  EXPECT_EQ(opset_version(model, "ai.onnx"), 21);
  EXPECT_EQ(opset_version(model, "ai.onnx.ml"), 3);
  onnx::FunctionProto function;
  function.add_opset_import()->set_version(18);
  EXPECT_EQ(opset_version(function, "ai.onnx"), 18);
}

TEST(OnnxFacts, InitializersAreInputsBeforeIrVersion4) {
  onnx::ModelProto model;
  model.set_ir_version(3);
  EXPECT_TRUE(initializers_are_inputs(model));
  model.set_ir_version(4);
  EXPECT_FALSE(initializers_are_inputs(model));
}

}  // namespace
}  // namespace assay::model
