#include "blame/network_layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::blame {
namespace {

TEST(NetworkLayers, OnlyLayersThatComputeValuesAreChosen) {
  tensorrt::NetworkInfo network;
  tensorrt::NetworkTensor shape;
  shape.type = "int64";
  tensorrt::NetworkTensor values;
  values.name = "c";
  values.type = "float32";
  values.holds_values = true;
  network.layers.push_back({"shape", {"x"}, {shape}});
  network.layers.push_back({"conv", {"x", "w"}, {values}});
  const auto layers = layers_with_precision(network);
  ASSERT_EQ(layers.size(), 1U);
  EXPECT_EQ(layers[0].number, 1);
  EXPECT_EQ(layers[0].name, "conv");
  EXPECT_THAT(layers[0].tensors, testing::ElementsAre("x", "w", "c"));
}

}  // namespace
}  // namespace assay::blame
