#include "inspect/engine_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "inspect/engine_json.h"
#include "tests/support/paths.h"

namespace assay::inspect {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr DescribeOptions kLayers{.layers = true};
constexpr DescribeOptions kAttributes{.layers = true, .attributes = true};

tensorrt::EngineInfo sample(const std::string& name) {
  auto info = tensorrt::load_engine_info(test::source_dir() / "src/tensorrt/testdata" / name);
  EXPECT_TRUE(info) << info.error().message();
  return info.value_or(tensorrt::EngineInfo());
}

TEST(EngineText, ShowsBindingsAndTypesOfLayers) {
  EXPECT_EQ(engine_text(sample("engine_detailed.json"), {}),
            "==== TensorRT engine ====\n"
            "Layers: 3 | Profiles: 1 | Bindings: 2\n"
            "\n"
            "---- Inputs (1) ----\n"
            "{x [dtype=float32, shape=(1, 3, 8, 8)]}\n"
            "\n"
            "---- Outputs (1) ----\n"
            "{y [dtype=float32, shape=(1, 16, -1)]}\n"
            "\n"
            "---- Layers (3) ----\n"
            "CaskConvolution: 1\n"
            "Reformat: 1\n"
            "kgen: 1");
}

TEST(EngineText, ShowsTheOnnxNodesOfLayers) {
  EXPECT_THAT(engine_text(sample("engine_detailed.json"), kLayers),
              HasSubstr("\n\nLayer 1    | conv + relu [Op: CaskConvolution]\n"
                        "    {Reformatted Input Tensor 0 to conv [dtype=float16, shape=(1, 3, 8, 8)]}\n"
                        "     -> {features [dtype=float16, shape=(1, 16, 8, 8)]}\n"
                        "    ONNX node: /conv/Conv\n"
                        "    ONNX node: /relu/Relu\n\nLayer 2"));
}

TEST(EngineText, ShowsAttributes) {
  const std::string text = engine_text(sample("engine_detailed.json"), kAttributes);
  EXPECT_THAT(text, HasSubstr("    ---- Attributes ----\n"
                              "    TacticName = sm80_sample_tactic\n"
                              "    TacticValue = 0x0123456789abcdef\n"
                              "    Weights = 432 x Half\n"
                              "    ParameterType = Convolution\n"
                              "    Kernel = [3,3]\n"
                              "    Bias = {\"Type\":\"Half\",\"Count\":16}\n"));
  EXPECT_THAT(text, HasSubstr("shape=(1, 16, 8, 8), format=Channel major FP16 format where channel % 8 == 0, "
                              "location=Device]"));
  EXPECT_THAT(text, HasSubstr("Constants = {scale [dtype=float32, shape=(), format=Float]}"));
}

TEST(EngineText, ExplainsWhyThereAreOnlyNames) {
  const std::string text = engine_text(sample("engine_names.json"), kAttributes);
  EXPECT_THAT(text,
              HasSubstr("only the names of the layers. Build the engine with `trtexec --profilingVerbosity=detailed`"));
  EXPECT_THAT(text, HasSubstr("---- Bindings that no layer mentions (2) ----\n{x,\n y}"));
  EXPECT_THAT(text, HasSubstr("Layer 1    | conv + relu\nLayer 2    | pool"));
  EXPECT_THAT(text, Not(HasSubstr("Inputs")));
}

TEST(EngineText, ExplainsWhyThereAreNoLayers) {
  const auto engine = tensorrt::parse_engine_info(R"({"Layers": [], "Bindings": ["x"]})");
  ASSERT_TRUE(engine);
  EXPECT_THAT(engine_text(*engine, {}), HasSubstr("no layers. Build the engine with"));
}

TEST(EngineText, ShowsEachProfile) {
  const std::string text = engine_text(sample("engine_profiles.json"), kLayers);
  EXPECT_THAT(text, HasSubstr("Layers: 2 | Profiles: 2 | Bindings: 4\n"));
  EXPECT_THAT(text,
              HasSubstr("==== Profile 1 ====\n\n---- Inputs (1) ----\n{x [profile 1] [dtype=float32, shape=(8, 16)]}"));
}

TEST(EngineText, ShowsWhatProfilesAccept) {
  const tensorrt::EngineInfo engine = sample("engine_ranges.json");
  const std::string text = engine_text(engine, {});
  EXPECT_THAT(text, HasSubstr("{x [dtype=float16, shape=(-1, 2)] from (1, 2) to (4, 2), optimised for (2, 2)}"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "==== Profile 1 ====\n\n---- Inputs (1) ----\n{x [dtype=float16, shape=(-1, 2)] from (8, 2) to (9, 2)"));
  EXPECT_EQ(json::parse(engine_json(engine, {}))["profiles"][0]["bindings"][0]["range"],
            json::parse(R"({"min": [1, 2], "opt": [2, 2], "max": [4, 2]})"));
}

TEST(EngineText, ReplacesControlCharacters) {
  const auto engine = tensorrt::parse_engine_info(
      R"({"Layers": [{"Name": "a\u001eb\u001b[31m", "Metadata": "c\u001fd", "New": "e\nf"}], "Bindings": ["g\rh"]})");
  ASSERT_TRUE(engine);
  const std::string text = engine_text(*engine, kAttributes);
  EXPECT_THAT(text, HasSubstr("a b [31m"));
  EXPECT_THAT(text, HasSubstr("g h"));
  EXPECT_THAT(text, Not(HasSubstr("\r")));
}

TEST(EngineText, ALayerWithoutInputsIsOneLine) {
  const auto engine = tensorrt::parse_engine_info(
      R"({"Layers": [{"Name": "a", "LayerType": "Constant", "Outputs": [{"Name": "c"}]}]})");
  ASSERT_TRUE(engine);
  EXPECT_THAT(engine_text(*engine, kLayers), HasSubstr("Layer 0    | a [Op: Constant]\n    {} -> {c}"));
}

TEST(EngineJson, LeavesOutWhatWasNotRequested) {
  const json object = json::parse(engine_json(sample("engine_profiles.json"), {}));
  EXPECT_EQ(object["layer_count"], 2);
  EXPECT_EQ(object["names_only"], false);
  EXPECT_EQ(object["profiles"][1]["layer_count"], 1);
  EXPECT_FALSE(object["profiles"][1].contains("layers"));
  EXPECT_EQ(object["profiles"][1]["bindings"][0],
            json::parse(R"({"name": "x [profile 1]", "dtype": "float32", "shape": [8, 16], "direction": "input"})"));
}

TEST(EngineJson, HasLayersAndAttributes) {
  const json layer = json::parse(engine_json(sample("engine_detailed.json"), kLayers))["profiles"][0]["layers"][1];
  EXPECT_EQ(layer, json::parse(R"({"name": "conv + relu", "op": "CaskConvolution",
      "inputs": [{"name": "Reformatted Input Tensor 0 to conv", "dtype": "float16", "shape": [1, 3, 8, 8]}],
      "outputs": [{"name": "features", "dtype": "float16", "shape": [1, 16, 8, 8]}],
      "onnx_nodes": ["/conv/Conv", "/relu/Relu"]})"));
  const json full = json::parse(engine_json(sample("engine_detailed.json"), kAttributes))["profiles"][0]["layers"];
  EXPECT_EQ(full[1]["tactic"], json::parse(R"({"name": "sm80_sample_tactic", "value": "0x0123456789abcdef"})"));
  EXPECT_EQ(full[1]["weights"], json::parse(R"({"type": "Half", "count": 432, "attributes": {}})"));
  EXPECT_EQ(full[1]["attributes"]["Kernel"], json::parse("[3, 3]"));
  EXPECT_EQ(full[2]["constants"][0]["name"], "scale");
  EXPECT_EQ(full[0]["weights"], nullptr);
  EXPECT_EQ(full[0]["outputs"][0]["format"], "Channel major FP16 format where channel % 4 == 0");
}

}  // namespace
}  // namespace assay::inspect
