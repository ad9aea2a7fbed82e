#include "edit/changes/known_value_infos.h"

#include <onnx/defs/printer.h>

#include "edit/model_texts.h"

namespace assay::edit {
namespace {

using test::parse;
using testing::ElementsAre;
using testing::Pair;

std::map<std::string, std::string> texts(const ValueInfos& known) {
  std::map<std::string, std::string> result;
  for (const auto& [name, value] : known) result[name] = onnx::ProtoToString(value.type());
  return result;
}

TEST(ValueInfos, DeclaredAndInferredAndWeights) {
  EXPECT_THAT(
      texts(
          known_value_infos(parse("g (float[N,2] x) => (float[N,3] y) <double[1] w = {1}> { a = Abs(x)  y = l(a) }"))),
      ElementsAre(Pair("a", "float[N,2]"), Pair("w", "double[1]"), Pair("x", "float[N,2]"), Pair("y", "float[N,3]")));
}

TEST(ValueInfos, WhatBodiesHave) {
  const auto known = texts(known_value_infos(parse(R"(g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { d = Shape(x)  s = Cast <to = 1> (d)  t = Add(x, s) },
                  else_branch = e () => (float[2] e) <double[3] w = {1,2,3}> { e = Abs(x) }> })")));
  EXPECT_EQ(known.at("d"), "int64[1]");
  EXPECT_EQ(known.at("w"), "double[3]");
}

TEST(ValueInfos, ANameOfTwoMeaningsHasNone) {
  const auto known = known_value_infos(parse(R"(g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { d = Shape(x)  t = Abs(x) },
                  else_branch = e () => (float[2] e) { d = Abs(x)  e = Neg(d) }> })"));
  EXPECT_FALSE(known.contains("d"));
}

TEST(ValueInfos, TheOuterGraphsMeaningCountsBeforeThatOfABody) {
  const auto known = texts(known_value_infos(parse(R"(g (float[2] x, bool c) => (float[2] y) { d = Abs(x)
      y = If (c) <then_branch = t () => (float[2] t) { d = Shape(x)  t = Abs(x) },
                  else_branch = e () => (float[2] e) { e = Neg(d) }> })")));
  EXPECT_EQ(known.at("d"), "float[2]");
}

TEST(ValueInfos, AnInferredSizeIsBetterThanAnOpenOne) {
  EXPECT_EQ(
      texts(known_value_infos(parse("g (float[2] x) => (float[2] y) <float[K] a> { a = Abs(x)  y = Neg(a) }"))).at("a"),
      "float[2]");
}

TEST(ValueInfos, WhatALoopCarriesHasTheRankOfItsInitialValue) {
  const auto known = texts(known_value_infos(parse(R"(g (float[2] x, int64 m, bool c) => (y) {
      y = Loop (m, c, x) <body = b (int64 i, bool go, s) => (bool go, t) {
            a = Abs(s)
            t = Loop (m, c, a) <body = inner (int64 j, bool on, u) => (bool on, v) { v = Exp(u) }> }> })")));
  EXPECT_EQ(known.at("a"), "float[2]");
  EXPECT_EQ(known.at("v"), "float[2]");
  EXPECT_EQ(known.at("y"), "float[]");  // the last iteration may return another rank
}

TEST(ValueInfos, KeepsDeclaredTypesIfInferenceFails) {
  const auto known = known_value_infos(parse("g (float[2] x) => (float[2] y) { a = nowhere.Op(x)  y = Abs(a) }"));
  EXPECT_THAT(texts(known), ElementsAre(Pair("x", "float[2]"), Pair("y", "float[2]")));
}

TEST(ValueInfos, UsesObservedTypesAsALastResort) {
  tensor::NamedTensors seen;
  const auto value = tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {1, 2});
  for (const std::string name : {"a", "y"}) seen.set(name, value);
  const model::Model model = parse("g (float[N] x) => (float[N] y) { a = m.Op(x)  y = Abs(a) }",
                                   R"(ir_version: 8, opset_import: ["" : 17, "m" : 1])");
  EXPECT_THAT(texts(known_value_infos(model, seen)),
              ElementsAre(Pair("a", "float[2]"), Pair("x", "float[N]"), Pair("y", "float[N]")));
}

}  // namespace
}  // namespace assay::edit
