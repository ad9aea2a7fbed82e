#include "run/layer_engines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tensorrt/encode_settings.h"

namespace assay::run {
namespace {

using testing::ElementsAre;
using testing::Key;

LayerEngine returns(std::vector<std::string> tensors) {
  return {.setup = {}, .tensors = std::move(tensors)};
}

EngineSetup tensorrt_with(const std::vector<std::string>& settings) {
  tensorrt::GivenSettings given;
  for (const std::string& name : settings) given.add(name, {"x"});
  EngineSetup setup;
  setup.spec.kind = "tensorrt";
  setup.spec.options = tensorrt::encode_settings(given);
  return setup;
}

TEST(LayerEngines, TensorsOfAllEnginesAreInOneOrder) {
  EXPECT_THAT(all_tensors({returns({"y"}), returns({"a", "b", "y"})}), ElementsAre("a", "b", "y"));
}

TEST(LayerEngines, NeighboursThatShareATensorCanBeCompared) {
  EXPECT_TRUE(share_tensors({returns({"a"})}));
  EXPECT_TRUE(share_tensors({returns({"a", "b"}), returns({"b", "c"}), returns({"c"})}));
  EXPECT_FALSE(share_tensors({returns({"a", "b"}), returns({"b", "c"}), returns({"a"})}));
}

TEST(LayerEngines, TensorRtCanNamePartsOfItsNetwork) {
  EXPECT_TRUE(names_network_parts(tensorrt_with({"--trt-outputs"})));
  EXPECT_TRUE(names_network_parts(tensorrt_with({"--fp16", "--layer-precisions"})));
  EXPECT_FALSE(chooses_outputs(tensorrt_with({"--fp16", "--layer-precisions"})));
  EXPECT_TRUE(chooses_outputs(tensorrt_with({"--trt-exclude-outputs"})));
  EXPECT_TRUE(names_network_parts(tensorrt_with({"--trt-network-postprocess-script"}))) << "it can mark outputs";
  EXPECT_FALSE(names_network_parts(tensorrt_with({"--fp16"})));
  EXPECT_FALSE(names_network_parts(tensorrt_with({"--trt-outputs", "--mark-debug"}))) << "they are further outputs";
  EngineSetup other = tensorrt_with({"--trt-outputs"});
  other.spec.kind = "onnxruntime";
  EXPECT_FALSE(names_network_parts(other));
}

TEST(LayerEngines, TheOutputsOfAWindowAreAnOption) {
  const EngineSetup engine = returning(tensorrt_with({"--trt-outputs", "--fp16"}), {"[a]", "b"});
  EXPECT_THAT(engine.spec.options, ElementsAre(Key("--fp16"), Key("--trt-outputs"), Key("outputs")));
  EXPECT_EQ(engine.spec.options.at("outputs"), R"([["[a]","b"]])");
  const EngineSetup another = for_another_model(
      tensorrt_with({"--trt-outputs", "--layer-precisions", "--save-engine", "--save-tactics", "--fp16"}));
  EXPECT_THAT(another.spec.options, ElementsAre(Key("--fp16")));
}

}  // namespace
}  // namespace assay::run
