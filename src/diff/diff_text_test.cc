#include "diff/diff_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "diff/diff_json.h"
#include "diff/diff_test_support.h"

namespace assay::diff {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

const char* const kFirst =
    "g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { [a] t = Add(x, w)  [b] y = Relu(t) }";
const char* const kSecond =
    "g (float[2] x) => (float[2] y) <float[2] w = {1, 3}> { [a] t = Add(x, w)  [c] z = Abs(t)  [b] y = Relu(z) }";

TEST(DiffText, SumsUpThenListsChangesInGroups) {
  EXPECT_EQ(to_text(compare(parse(kFirst), parse(kSecond)), "a.onnx", "b.onnx", 20),
            "The models differ: 1 node added, 1 edge changed, 1 weight changed\n"
            "    first:  a.onnx: 2 nodes, 1 weight (8 B)\n"
            "    second: b.onnx: 3 nodes, 1 weight (8 B)\n"
            "    operators: Abs 0 -> 1\n"
            "\n"
            "    1 node added:\n"
            "      Abs 'c' (node #1)\n"
            "\n"
            "    1 edge changed:\n"
            "      Relu 'b' (node #1), input 0: 't' of Add (node #0) -> 'z' of Abs (node #1)\n"
            "\n"
            "    1 weight changed:\n"
            "      weight 'w': float32 (2); 1 of 2 values differ, by up to 1 at (1,); relative norm 0.45");
  EXPECT_EQ(to_text(compare(parse(kFirst), parse(kFirst)), "a.onnx", "b.onnx", 20),
            "The models are equal: 2 nodes, 1 weight (8 B)");
}

TEST(DiffText, EqualNumbersOfAnotherTypeAreEqual) {
  const char* const wider =
      "g (float[2] x) => (float[2] y) <double[2] w = {1, 2}> { [a] t = Add(x, w)  [b] y = Relu(t) }";
  EXPECT_THAT(to_text(compare(parse(kFirst), parse(wider)), "a.onnx", "b.onnx", 20),
              EndsWith("weight 'w': float32 (2) -> float64 (2); the numbers are equal"));
  const char* const minus =
      "g (float[2] x) => (float[2] y) <float[2] w = {-0.0, 2}> { [a] t = Add(x, w)  [b] y = Relu(t) }";
  const char* const plus =
      "g (float[2] x) => (float[2] y) <float[2] w = {0.0, 2}> { [a] t = Add(x, w)  [b] y = Relu(t) }";
  EXPECT_THAT(to_text(compare(parse(minus), parse(plus)), "a.onnx", "b.onnx", 20),
              EndsWith("the numbers are equal, but not their bytes (signs of zeros, or NaNs)"));
}

// A NaN isn't a difference of 0.
TEST(DiffText, AValueThatBecameNanDiffersMost) {
  model::Model first = parse("g (float[4] x) => (float[4] y) <float[4] w = {1, 2, 3, 4}> { y = Add(x, w) }");
  const auto with = [&](std::vector<float> values) {
    model::Model model = first;
    onnx::TensorProto& weight = *model.graph().mutable_initializer(0);
    weight.mutable_float_data()->Assign(values.begin(), values.end());
    return model;
  };
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const ModelDiff diff = compare(with({1, 2, 3, kNan}), first);
  EXPECT_THAT(to_text(diff, "a.onnx", "b.onnx", 20),
              HasSubstr("1 of 4 values differ, by up to inf at (3,); relative norm inf; 1 is NaN in only one of the"));
  const auto json = nlohmann::json::parse(to_json(diff, "a.onnx", "b.onnx")).at("changes")[0].at("values");
  EXPECT_EQ(json.at("nan_in_one"), 1);
  EXPECT_EQ(json.at("max_abs_diff_at"), nlohmann::json::array({3}));
  EXPECT_EQ(json.at("max_abs_diff"), "inf") << "JSON has no infinity";
  EXPECT_THAT(to_text(compare(first, with({1, kNan, 30, kNan})), "a.onnx", "b.onnx", 20),
              HasSubstr("3 of 4 values differ, by up to inf at (1,); relative norm inf; 2 are NaN in only one of the"));
  EXPECT_THAT(to_text(compare(with({1, 2, 3, kNan}), with({1, 2, 4, kNan})), "a.onnx", "b.onnx", 20),
              HasSubstr("1 of 4 values differ, by up to 1 at (2,)"));
}

TEST(DiffText, LongGroupsAreCut) {
  std::string first, second;
  for (int i = 0; i < 30; ++i) {
    first += "y" + std::to_string(i) + " = my.Op<v = 1>(x)\n";
    second += "y" + std::to_string(i) + " = my.Op<v = 2>(x)\n";
  }
  const auto model = [](const std::string& nodes) { return parse("g (float[2] x) => () { " + nodes + "}"); };
  const ModelDiff diff = compare(model(first), model(second));
  EXPECT_THAT(to_text(diff, "a", "b", 20), HasSubstr("\n      ... and 10 more (--limit 0 shows all)"));
  EXPECT_THAT(to_text(diff, "a", "b", 0), Not(HasSubstr("more")));
}

TEST(DiffJson, HoldsEveryChange) {
  const auto json = nlohmann::json::parse(to_json(compare(parse(kFirst), parse(kSecond)), "a.onnx", "b.onnx"));
  EXPECT_EQ(json.at("operators"), nlohmann::json::parse(R"({"Abs": {"first": 0, "second": 1}})"));
  EXPECT_FALSE(json.at("equal").get<bool>());
  EXPECT_EQ(json.at("second").at("nodes"), 3);
  ASSERT_EQ(json.at("changes").size(), 3U);
  const auto& added = json.at("changes")[0];
  EXPECT_EQ(added.at("aspect"), "node");
  EXPECT_EQ(added.at("kind"), "added");
  EXPECT_TRUE(added.at("first").is_null());
  EXPECT_EQ(added.at("second").at("index"), 1);
  EXPECT_EQ(json.at("changes")[2].at("values").at("max_abs_diff"), 1.0);
}

TEST(DiffJson, TextsThatAreNotUtf8DontBreakIt) {
  model::Model first = parse("g (float[2] x) => (float[2] y) { y = my.Op<s = \"a\">(x) }");
  model::Model second = first;
  second.graph().mutable_node(0)->mutable_attribute(0)->set_s("\xff\xfe");
  EXPECT_TRUE(nlohmann::json::accept(to_json(compare(first, second), "a", "b")));
}

}  // namespace
}  // namespace assay::diff
