#include "tensorrt/engine_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "base/files.h"
#include "base/temp_dir.h"
#include "tests/support/paths.h"

namespace assay::tensorrt {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

EngineInfo sample(const std::string& name) {
  auto info = load_engine_info(test::source_dir() / "src/tensorrt/testdata" / name);
  EXPECT_TRUE(info) << info.error().message();
  return info.value_or(EngineInfo());
}

std::string error_of(std::string_view text) {
  const auto info = parse_engine_info(text);
  return info ? "" : info.error().message();
}

std::string layer(std::string_view member) {
  return fmt::format(R"({{"Layers": [{{"Name": "conv", {}}}]}})", member);
}

std::string shown(const EngineBinding& binding) {
  const auto& shape = binding.tensor.shape;
  return fmt::format("{} {} {} {}", binding.tensor.name, static_cast<int>(binding.direction), binding.tensor.type,
                     shape ? fmt::format("({})", fmt::join(*shape, ",")) : "?");
}

TEST(EngineInfo, ReadsLayersWithTensorsTacticsAndWeights) {
  const EngineInfo info = sample("engine_detailed.json");
  EXPECT_FALSE(info.names_only);
  ASSERT_THAT(info.profiles, SizeIs(1));
  ASSERT_THAT(info.profiles[0].layers, SizeIs(3));
  const EngineLayer& conv = info.profiles[0].layers[1];
  EXPECT_EQ(conv.name, "conv + relu");
  EXPECT_EQ(conv.type, "CaskConvolution");
  EXPECT_EQ(conv.tactic_name, "sm80_sample_tactic");
  EXPECT_EQ(conv.tactic_value, "0x0123456789abcdef");
  ASSERT_TRUE(conv.weights);
  EXPECT_EQ(conv.weights->type, "Half");
  EXPECT_EQ(conv.weights->count, 432);
  ASSERT_THAT(conv.outputs, SizeIs(1));
  EXPECT_EQ(conv.outputs[0].name, "features");
  EXPECT_THAT(conv.outputs[0].shape.value(), ElementsAre(1, 16, 8, 8));
  EXPECT_EQ(conv.outputs[0].type, "float16");
  EXPECT_THAT(conv.outputs[0].format, StartsWith("Channel major FP16"));
  EXPECT_EQ(conv.outputs[0].location, "Device");
  const EngineLayer& fused = info.profiles[0].layers[2];
  EXPECT_THAT(fused.constants, ElementsAre(Field(&EngineTensor::name, "scale")));
  EXPECT_THAT(fused.constants[0].shape.value(), IsEmpty());
}

TEST(EngineInfo, FindsTheOnnxNodesOfFusedLayers) {
  const EngineInfo info = sample("engine_detailed.json");
  const std::vector<EngineLayer>& layers = info.profiles[0].layers;
  EXPECT_THAT(layers[0].onnx_nodes, IsEmpty());
  EXPECT_THAT(layers[1].onnx_nodes, ElementsAre("/conv/Conv", "/relu/Relu"));
  EXPECT_THAT(layers[2].onnx_nodes, ElementsAre("/pool/ReduceMean", "/scale/Mul[0]"));
}

TEST(EngineInfo, AcceptsControlCharactersThatAreNotEscaped) {
  const auto info = parse_engine_info(layer("\"Metadata\": \"[ONNX Layer: a]\x1e[ONNX Layer: b]\x1f[ONNX Layer: c]\""));
  ASSERT_TRUE(info) << info.error().message();
  EXPECT_THAT(info->profiles[0].layers[0].onnx_nodes, ElementsAre("a", "b", "c"));
}

TEST(EngineInfo, KeepsWhatItDoesNotKnow) {
  const auto info = parse_engine_info(
      R"({"Layers": [{"Name": "a", "New": {"b": [1, "x"]}, "Null": null, "Weights": {"Count": 3, "Sparse": true},
                      "Outputs": [{"Name": "t", "Vectorized": 4}]}], "Version": 12})");
  ASSERT_TRUE(info) << info.error().message();
  const EngineLayer& a = info->profiles[0].layers[0];
  const auto is = [](const char* name, const char* value) {
    return AllOf(Field(&EngineAttribute::name, name), Field(&EngineAttribute::value, value));
  };
  EXPECT_THAT(a.attributes, ElementsAre(is("New", R"({"b":[1,"x"]})"), is("Null", "null")));
  EXPECT_THAT(a.weights->attributes, ElementsAre(is("Sparse", "true")));
  EXPECT_THAT(a.outputs[0].attributes, ElementsAre(is("Vectorized", "4")));
  EXPECT_THAT(info->attributes, ElementsAre(is("Version", "12")));
}

TEST(EngineInfo, BindingsHaveTheShapesAndTypesOfTheLayersThatUseThem) {
  const EngineInfo info = sample("engine_detailed.json");
  const std::vector<EngineBinding>& bindings = info.profiles[0].bindings;
  ASSERT_THAT(bindings, SizeIs(2));
  EXPECT_EQ(shown(bindings[0]), "x 1 float32 (1,3,8,8)");
  EXPECT_EQ(shown(bindings[1]), "y 2 float32 (1,16,-1)");
}

TEST(EngineInfo, ReadsNamesOnly) {
  const EngineInfo info = sample("engine_names.json");
  EXPECT_TRUE(info.names_only);
  ASSERT_THAT(info.profiles[0].layers, SizeIs(3));
  EXPECT_EQ(info.profiles[0].layers[1].name, "conv + relu");
  EXPECT_EQ(shown(info.profiles[0].bindings[1]), "y 0  ?");
}

TEST(EngineInfo, SortsLayersAndBindingsByProfile) {
  const EngineInfo info = sample("engine_profiles.json");
  ASSERT_THAT(info.profiles, SizeIs(2));
  EXPECT_EQ(info.profiles[1].index, 1);
  EXPECT_THAT(info.profiles[0].layers, ElementsAre(Field(&EngineLayer::name, "pool")));
  EXPECT_THAT(info.profiles[1].layers, ElementsAre(Field(&EngineLayer::name, "pool [profile 1]")));
  EXPECT_EQ(shown(info.profiles[0].bindings[0]), "x 1 float32 (1,16)");
  EXPECT_EQ(shown(info.profiles[1].bindings[0]), "x [profile 1] 1 float32 (8,16)");
  EXPECT_EQ(shown(info.profiles[1].bindings[1]), "y [profile 1] 2 float32 (8,1)");
}

TEST(EngineInfo, ProfilesMayShareTheLayers) {
  const auto info = parse_engine_info(
      R"({"Layers": [{"Name": "a", "Inputs": [{"Name": "x", "Dimensions": [-1], "Datatype": "Half", "Format": "Linear"}]}],
          "Bindings": ["x", "x [profile 3]"]})");
  ASSERT_TRUE(info) << info.error().message();
  ASSERT_THAT(info->profiles, SizeIs(2));
  EXPECT_THAT(info->profiles[1].layers, IsEmpty());
  EXPECT_EQ(shown(info->profiles[1].bindings[0]), "x [profile 3] 1 float16 (-1)");
  EXPECT_EQ(info->profiles[1].bindings[0].tensor.format, "Half Linear");
}

TEST(EngineInfo, InputsHaveTheRangesOfTheirProfiles) {
  const EngineInfo info = sample("engine_ranges.json");
  ASSERT_THAT(info.profiles, SizeIs(2));
  const EngineBinding& first = info.profiles[0].bindings.at(0);
  EXPECT_EQ(first.tensor.name, "x");
  EXPECT_THAT(first.range->opt, ElementsAre(2, 2));
  EXPECT_FALSE(info.profiles[0].bindings.at(1).range);
  ASSERT_THAT(info.profiles[1].bindings, SizeIs(1));
  EXPECT_EQ(info.profiles[1].bindings[0].tensor.name, "x");
  EXPECT_THAT(info.profiles[1].bindings[0].range->max, ElementsAre(9, 2));
  EXPECT_THAT(info.attributes, SizeIs(3)) << "the ranges aren't one of them";
  EXPECT_THAT(error_of(R"({"Layers": [], "ProfileRanges": [3]})"), StartsWith("'ProfileRanges' has an element"));
  EXPECT_THAT(error_of(R"({"Layers": [], "ProfileRanges": [{"x": 3}]})"), StartsWith("a range isn't an object"));
  EXPECT_THAT(error_of(R"({"Layers": [], "ProfileRanges": [{"x": {"min": [1], "opt": [1]}}]})"),
              StartsWith("'max' of a range is missing (in 'ProfileRanges', 'x')"));
}

TEST(EngineInfo, AnEngineMayHaveNoLayersAndNoBindings) {
  for (const char* text : {R"({"Layers": []})", R"({"Layers": null, "Bindings": null})"}) {
    const auto info = parse_engine_info(text);
    ASSERT_TRUE(info) << info.error().message();
    EXPECT_THAT(info->profiles, ElementsAre(Field(&EngineProfile::layers, IsEmpty()))) << text;
  }
}

TEST(EngineInfo, RefusesWhatIsNotAnEngine) {
  for (const char* text : {"", "text", "{", R"({"Layers": [)", R"({"Layers": [1e999]})", "\"\xff\""}) {
    EXPECT_THAT(error_of(text), AllOf(StartsWith("not a JSON file of an engine's layers: "), HasSubstr("trtexec")))
        << text;
  }
  for (const char* text : {"[]", "{}", "3", "null", R"("Layers")", R"({"layers": []})", R"([{"name": "conv"}])"}) {
    EXPECT_THAT(error_of(text), StartsWith("not the layers of a TensorRT engine")) << text;
  }
}

TEST(EngineInfo, NamesTheLayerWithAMemberOfTheWrongType) {
  EXPECT_THAT(error_of(R"({"Layers": {}})"), StartsWith("'Layers' isn't a list"));
  EXPECT_THAT(error_of(R"({"Layers": [3]})"), StartsWith("a layer is neither an object nor a name (in layer 0)"));
  EXPECT_THAT(error_of(R"({"Layers": ["a", {"LayerType": "b"}]})"), StartsWith("'Name' is missing (in layer 1)"));
  EXPECT_THAT(error_of(R"({"Layers": [{"Name": 1}]})"), StartsWith("'Name' isn't a text (in layer 0)"));
  EXPECT_THAT(error_of(R"({"Layers": [], "Bindings": [{}]})"),
              StartsWith("'Bindings' has an element that isn't a name"));
  EXPECT_THAT(error_of(layer(R"("LayerType": [])")), StartsWith("'LayerType' isn't a text (in layer 0, 'conv')"));
  EXPECT_THAT(error_of(layer(R"("Metadata": 1)")), StartsWith("'Metadata' isn't a text"));
  EXPECT_THAT(error_of(layer(R"("Inputs": {})")), StartsWith("'Inputs' isn't a list"));
  EXPECT_THAT(error_of(layer(R"("Outputs": ["y"])")),
              StartsWith("a tensor isn't an object (in layer 0, 'conv': 'Outputs')"));
  EXPECT_THAT(error_of(layer(R"("Weights": 432)")), StartsWith("'Weights' isn't an object"));
  EXPECT_THAT(error_of(layer(R"("Weights": {"Count": "many"})")),
              StartsWith("'Count' has a value that isn't an integer"));
}

TEST(EngineInfo, RefusesDimensionsThatAreNotIntegers) {
  for (const char* size : {"1.5", "\"n\"", "[1]", "18446744073709551615", "99999999999999999999999", "true", "null"}) {
    EXPECT_THAT(error_of(layer(fmt::format(R"("Inputs": [{{"Name": "x", "Dimensions": [{}]}}])", size))),
                StartsWith("'Dimensions' has a value that isn't an integer"))
        << size;
  }
}

TEST(EngineInfo, RefusesDeepNesting) {
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  EXPECT_THAT(error_of(deep), HasSubstr("lists and objects are nested more than 200 deep"));
  EXPECT_THAT(error_of(layer("\"New\": " + deep)), HasSubstr("lists and objects are nested more than 200 deep"));
  EXPECT_EQ(error_of(layer(R"("New": ")" + std::string(100, '[') + R"(\"[")")), "");
}

TEST(EngineInfo, NamesTheFile) {
  EXPECT_EQ(load_engine_info("nowhere.json").error().kind, base::ErrorKind::not_found);
  const auto folder = base::TempDir::create();
  ASSERT_TRUE(folder);
  ASSERT_TRUE(base::write_file(folder->path() / "bad.json", "{}"));
  const auto info = load_engine_info(folder->path() / "bad.json");
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().kind, base::ErrorKind::invalid_input);
  EXPECT_THAT(info.error().message(), HasSubstr("bad.json"));
}

}  // namespace
}  // namespace assay::tensorrt
