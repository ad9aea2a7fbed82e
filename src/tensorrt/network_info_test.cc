#include "tensorrt/network_info.h"

#include <gtest/gtest.h>

namespace assay::tensorrt {
namespace {

NetworkTensor tensor(const char* name, const char* type) {
  return {.name = name, .type = type, .shape = {2, -1}, .known_rank = true, .holds_values = true};
}

TEST(NetworkInfo, ComesBackFromItsJson) {
  NetworkInfo network;
  network.name = "g";
  network.strongly_typed = true;
  network.inputs = {tensor("x", "float32")};
  network.layers.push_back({"/conv/Conv", {"x"}, {tensor("c", "float32")}, "CONVOLUTION"});
  network.layers.back().attributes = {{"stride_nd", "[2,2]"}};
  network.layers.back().weights = {{"kernel", "float32", {9}, 36}};
  network.constants.push_back({"one", {}, {tensor("k", "int64")}, "CONSTANT"});
  network.layers.back().outputs.back().is_output = true;
  network.layers.push_back({"(Unnamed Layer* 1) [Shape]", {"c"}, {tensor("\"s\"", "int64")}});
  network.outputs = {network.layers[0].outputs[0]};
  const auto read = parse_network(network_json(network));
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(read->outputs.size(), 1U);
  EXPECT_EQ(read->outputs[0].name, "c");
  ASSERT_EQ(read->layers.size(), 2U);
  EXPECT_EQ(read->layers[0].name, "/conv/Conv");
  EXPECT_EQ(read->layers[0].kind, "CONVOLUTION");
  EXPECT_EQ(read->layers[0].inputs, (std::vector<std::string>{"x"}));
  EXPECT_EQ(read->layers[0].attributes.at(0).value, "[2,2]");
  EXPECT_EQ(read->layers[0].weights.at(0).name, "kernel");
  EXPECT_EQ(read->layers[0].weights.at(0).offset, 36U);
  EXPECT_EQ(read->layers[0].outputs[0].shape, (std::vector<std::int64_t>{2, -1}));
  EXPECT_TRUE(read->layers[0].outputs[0].is_output);
  EXPECT_EQ(read->name, "g");
  EXPECT_TRUE(read->strongly_typed);
  EXPECT_EQ(read->inputs.at(0).name, "x");
  EXPECT_EQ(read->constants.at(0).outputs.at(0).name, "k");
  EXPECT_EQ(read->layers[1].outputs[0].name, "\"s\"");
  EXPECT_EQ(read->layers[1].outputs[0].type, "int64");
  EXPECT_FALSE(read->layers[1].outputs[0].is_output);
}

TEST(NetworkInfo, OtherTextsAreRefused) {
  for (const char* text : {"", "[]", R"({"layers": [{"name": 3}]})"}) {
    const auto read = parse_network(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().kind, base::ErrorKind::invalid_input);
  }
}

TEST(NetworkInfo, OnlyLayersThatComputeValuesHaveAPrecision) {
  EXPECT_TRUE(has_precision({"a", {}, {tensor("t", "float32"), tensor("u", "int8")}}));
  EXPECT_FALSE(has_precision({"a", {}, {tensor("t", "float32"), tensor("u", "int64")}}));
  EXPECT_FALSE(has_precision({"a", {}, {}}));
  NetworkTensor shape = tensor("t", "float32");
  shape.holds_values = false;
  EXPECT_FALSE(has_precision({"a", {}, {shape}}));
}

}  // namespace
}  // namespace assay::tensorrt
