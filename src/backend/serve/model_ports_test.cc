#include "backend/serve/model_ports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/load.h"
#include "tests/support/paths.h"

namespace assay::backend {
namespace {

using tensor::ElementType;
using testing::ElementsAre;
using testing::IsEmpty;
using worker::Port;

ModelPorts ports_of(std::string_view text) {
  const auto model = model::parse_text(text);
  EXPECT_TRUE(model);
  auto ports = read_model_ports(model->proto.SerializeAsString());
  EXPECT_TRUE(ports);
  return *std::move(ports);
}

TEST(ModelPorts, TellTypesAndShapes) {
  const ModelPorts ports = ports_of(R"(<ir_version: 10, opset_import: ["" : 21]>
    g (float[2, N, ?] x, int4 s, string t) => (bfloat16[] y) { y = Cast<to = 16>(x) })");
  ASSERT_EQ(ports.inputs.size(), 3U);
  EXPECT_EQ(ports.inputs[0].name, "x");
  EXPECT_EQ(ports.inputs[0].type, ElementType::float32);
  EXPECT_THAT(ports.inputs[0].shape, ElementsAre(2, -1, -1));
  EXPECT_EQ(ports.inputs[1].type, ElementType::int4);
  EXPECT_THAT(ports.inputs[1].shape, IsEmpty());
  EXPECT_EQ(ports.inputs[2].type, ElementType::string);
  EXPECT_EQ(ports.outputs.at(0).type, ElementType::bfloat16);
}

TEST(ModelPorts, KeepSizesThatHaveADenotation) {
  auto model = model::parse_text("<ir_version: 10> g (float[3, N] x) => (float y) { y = Abs(x) }").value();
  onnx::TypeProto& type = *model.graph().mutable_input(0)->mutable_type();
  for (auto& dim : *type.mutable_tensor_type()->mutable_shape()->mutable_dim()) dim.set_denotation("DATA_CHANNEL");
  const auto ports = read_model_ports(model.proto.SerializeAsString());
  ASSERT_TRUE(ports);
  EXPECT_THAT(ports->inputs.at(0).shape, ElementsAre(3, -1));
}

TEST(ModelPorts, NamePortsThatAreNotTensors) {
  const ModelPorts ports = ports_of(R"(<ir_version: 10, opset_import: ["" : 21]>
    g (seq(float[2]) s, optional(float[3]) o, optional(seq(int64)) os) => (float[2] y) { y = SequenceAt(s, i) })");
  EXPECT_EQ(ports.inputs.at(0).kind, "sequence(tensor(float32))");
  EXPECT_EQ(ports.inputs.at(1).kind, "optional(tensor(float32))");
  EXPECT_THAT(ports.inputs.at(1).shape, ElementsAre(3));
  EXPECT_EQ(ports.inputs.at(2).kind, "optional(sequence(tensor(int64)))");
}

TEST(ModelPorts, LeaveOutInputsThatAreInitializers) {
  const ModelPorts ports = ports_of(R"(<ir_version: 3, opset_import: ["" : 9]>
    g (float[1] x, float[1] w) => (float[1] y) <float[1] w = {2}> { y = Add(x, w) })");
  ASSERT_EQ(ports.inputs.size(), 1U);
  EXPECT_EQ(ports.inputs[0].name, "x");
}

TEST(ModelPorts, ComeFromAFileToo) {
  const auto ports = read_model_ports(worker::ModelFile{test::models_dir() / "light_squeezenet.onnx"});
  ASSERT_TRUE(ports);
  EXPECT_EQ(ports->inputs.at(0).name, "data_0");
  EXPECT_FALSE(read_model_ports(worker::ModelFile{"/no/such/model.onnx"}));
}

TEST(ModelPorts, RefuseDamagedModels) {
  const auto model =
      model::parse_text("<ir_version: 10> g (float x) => (float y) { y = Abs(x) }")->proto.SerializeAsString();
  EXPECT_TRUE(read_model_ports(model));
  for (std::size_t length = 0; length < model.size(); ++length) {
    const auto ports = read_model_ports(std::string_view(model).substr(0, length));
    if (!ports) {
      EXPECT_EQ(ports.error().failed.phase, worker::Phase::load);
    }
  }
  EXPECT_FALSE(read_model_ports(std::string_view("no model")));
  EXPECT_FALSE(read_model_ports(std::string_view()));
}

}  // namespace
}  // namespace assay::backend
