#include "surgeon/graph/restore_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/temp_dir.h"
#include "model/load.h"
#include "model/save.h"
#include "surgeon/graph/test_models.h"

namespace assay::surgeon {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

model::Model restored(const model::Model& floats, const model::Model& quantized, const std::vector<int>& keep) {
  const std::vector<QuantizedPart> parts = find_quantized_parts(floats, quantized);
  std::vector<QuantizedPart> kept;
  for (const int part : keep) kept.push_back(parts.at(static_cast<std::size_t>(part)));
  model::Model model = restore_parts(floats, quantized, kept).value();
  edit::test::expect_valid(model);
  return model;
}

TEST(RestoreParts, ComputesThemInFloat) {
  constexpr auto kFloats = R"(g (float[1,2] x) => (float[1,2] y) <float[2,2] v = {1,2,3,4}> {
    a = MatMul(x, v)  b = Relu(a)  [last] y = Tanh(b) })";
  const model::Model quantized = parse(R"(g (float[1,2] x) => (float[1,2] y)
    <float s = {0.1}, int8[2,2] v_q = {1,2,3,4}> {
    xq = QuantizeLinear(x, s)  xd = DequantizeLinear(xq, s)  vd = DequantizeLinear(v_q, s)
    b = MatMul(xd, vd)
    bq = QuantizeLinear(b, s)  bd = DequantizeLinear(bq, s)
    [last] yi = Tanh(bd)  yq = QuantizeLinear(yi, s)  y = DequantizeLinear(yq, s) })");
  EXPECT_EQ(text(restored(parse(kFloats), quantized, {0})), text(parse(R"(g (float[1,2] x) => (float[1,2] y)
    <float s = {0.1}, float[2,2] v = {1,2,3,4}> {
    a = MatMul(x, v)  b = Relu(a)
    bq = QuantizeLinear(b, s)  bd = DequantizeLinear(bq, s)
    [last] yi = Tanh(bd)  yq = QuantizeLinear(yi, s)  y = DequantizeLinear(yq, s) })")));
  EXPECT_EQ(text(restored(parse(kFloats), quantized, {0, 1})), text(parse(kFloats)))
      << "nothing of the quantized model is left";
}

TEST(RestoreParts, AddsWeightsUnderOtherNamesIfTheirsAreTaken) {
  const model::Model floats = parse(R"(g (float[2] x) => (float[2] y) <float[2] w = {1,2}> { y = Mul(x, w) })");
  const model::Model quantized = parse(R"(g (float[2] x) => (float[2] y, float[2] z) <float[2] w = {8,9}> {
    h = Cast <to = 10> (w)  d = Cast <to = 1> (h)  y = Mul(x, d)  z = Mul(x, w) })");
  EXPECT_EQ(text(restored(floats, quantized, {0})), text(parse(R"(g (float[2] x) => (float[2] y, float[2] z)
    <float[2] w = {8,9}, float[2] "w/float" = {1,2}> { z = Mul(x, w)  y = Mul(x, "w/float") })")));
}

TEST(RestoreParts, SharesWeightsThatWereNotQuantized) {
  const model::Model floats = parse(R"(g (float[2] x) => (float[2] y) <float[2] w = {1,2}> { y = Mul(x, w) })");
  const model::Model quantized = parse(R"(g (float[2] x) => (float[2] y) <float s = {1}, float[2] w = {1,2}> {
    q = QuantizeLinear(x, s)  d = DequantizeLinear(q, s)  y = Mul(d, w) })");
  EXPECT_EQ(text(restored(floats, quantized, {0})), text(floats));
}

TEST(RestoreParts, KeepsOtherOutputsOfANodeThatOnlyGivesAnInput) {
  const model::Model floats = parse(R"(g (float[4] x) => (float[2] y, float[2] z) <int64[2] n = {2,2}> {
    a, z = Split(x, n)  y = Relu(a) })");
  const model::Model quantized =
      parse(R"(g (float[4] x) => (float[2] y, float[2] z) <int64[2] n = {2,2}, float s = {1}> {
    i, z = Split(x, n)  q = QuantizeLinear(i, s)  y = DequantizeLinear(q, s) })");
  const std::vector<QuantizedPart> parts = find_quantized_parts(floats, quantized);
  ASSERT_EQ(parts.size(), 2U);
  const model::Model model = restored(floats, quantized, {1});
  EXPECT_THAT(text(model), HasSubstr("y = Relu (a)"));
  EXPECT_THAT(text(model), HasSubstr("i, z = Split (x, n)"));
}

// Both files have the same name, so references to them would be, too.
TEST(RestoreParts, ReadsLargeWeightsFromTheFilesOfBothModels) {
  const base::TempDir folder = base::TempDir::create().value();
  const auto saved = [&](const char* name, float first, const char* weight) {
    model::Model model =
        parse("g (float[1024] x) => (float[1024] y) { h = Mul(x, " + std::string(weight) + ") y = Add(h, u) }");
    for (const std::string& tensor : {std::string(weight), std::string("u")}) {
      onnx::TensorProto& values = *model.graph().add_initializer();
      values.set_name(tensor);
      values.set_data_type(onnx::TensorProto::FLOAT);
      values.add_dims(1024);
      const std::vector<float> numbers(1024, tensor == "u" ? 9 : first);
      values.set_raw_data(std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)));
    }
    const std::filesystem::path file = folder.path() / name / "model.onnx";
    std::filesystem::create_directory(file.parent_path());
    base::SilentLog log;
    EXPECT_TRUE(model::save(model, file, {}, log));
    return model::load(file).value();
  };
  const model::Model floats = saved("floats", 1, "w");
  const model::Model quantized = saved("quantized", 5, "w_q");
  const model::Model mixed = restore_parts(floats, quantized, find_quantized_parts(floats, quantized)).value();
  std::map<std::string, float> first;
  for (const onnx::TensorProto& weight : mixed.graph().initializer()) {
    EXPECT_EQ(weight.data_location(), onnx::TensorProto::EXTERNAL) << "it stays in its file";
    first[weight.name()] = model::read_weight(mixed, weight).value().load<float>(0);
  }
  EXPECT_THAT(first, ElementsAre(std::pair("u", 9.0F), std::pair("w", 1.0F))) << "u belongs to a node that is the same";
}

}  // namespace
}  // namespace assay::surgeon
