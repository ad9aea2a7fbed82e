#include "locate/fused_layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::locate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

tensorrt::EngineInfo engine(const std::string& layers) {
  const auto info = tensorrt::parse_engine_info("{\"Layers\": [" + layers + "]}");
  EXPECT_TRUE(info) << info.error().message();
  return info.value_or(tensorrt::EngineInfo());
}

std::string layer(const std::string& name, const std::string& output, const std::string& metadata) {
  return R"({"Name": ")" + name + R"(", "Outputs": [{"Name": ")" + output + R"("}], "Metadata": ")" + metadata + "\"}";
}

TEST(FusedLayers, ANodeIsFoundInsideOfALayer) {
  const auto info = engine(layer("conv + relu", "r", "[ONNX Layer: /conv][ONNX Layer: /relu]") + "," +
                           layer("pool", "p", "[ONNX Layer: /pool]"));
  const auto found = find_layer(info, "/conv", "c");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "conv + relu");
  EXPECT_THAT(found->nodes, ElementsAre("/conv", "/relu"));
  EXPECT_FALSE(find_layer(info, "/folded", "f"));
}

TEST(FusedLayers, OfSeveralLayersTheOneWithTheResultIsMeant) {
  const auto info = engine(layer("part", "t", "[ONNX Layer: n]") + "," + layer("result", "y", "[ONNX Layer: n]") + "," +
                           layer("copy", "y", "") + "," + layer("other", "z", "[ONNX Layer: n]"));
  EXPECT_EQ(find_layer(info, "n", "y")->name, "result");
}

TEST(FusedLayers, WithoutNodesTheTensorTells) {
  const auto info = engine(layer("fused", "y [profile 1]", ""));
  const auto found = find_layer(info, "n", "y");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "fused");
  EXPECT_THAT(found->nodes, IsEmpty());
  EXPECT_FALSE(find_layer(engine("\"only a name\""), "n", "y"));
}

TEST(FusedLayers, NodesWithoutNamesAreCalledAfterTheirResult) {
  onnx::NodeProto node;
  node.add_output("t");
  EXPECT_EQ(name_in_tensorrt(node), "node_of_t");
  node.set_name("n");
  EXPECT_EQ(name_in_tensorrt(node), "n");
}

TEST(FusedLayers, OnlyPrecisionsThatCanBeChosenAreNamed) {
  const auto tensor = [](const char* name, const char* type) {
    tensorrt::NetworkTensor made;
    made.name = name;
    made.type = type;
    made.holds_values = true;
    return made;
  };
  tensorrt::NetworkInfo network;
  network.layers.push_back({"a", {}, {tensor("x", "float32")}});
  network.layers.push_back({"b", {}, {tensor("y", "float32")}});
  network.layers.push_back({"c", {}, {tensor("z", "int64")}});
  EXPECT_THAT(layers_with_precision(network, {"y", "z"}), ElementsAre("b"));
}

}  // namespace
}  // namespace assay::locate
