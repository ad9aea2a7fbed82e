#include "edit/changes/set_size.h"

#include "edit/changes/known_value_infos.h"
#include "edit/changes/model_change.h"
#include "edit/model_texts.h"

namespace assay::edit {
namespace {

using test::parse;
using test::text;

void expect_size(const std::string& before, const SetSize& size, const std::string& after, int applied = 1) {
  const model::Model model = parse(before);
  const ModelChange change{"smaller", {size}};
  const Applied result = apply(model, {&change}, known_value_infos(model));
  EXPECT_EQ(result.applied, applied);
  EXPECT_EQ(text(result.model), text(parse(after)));
}

TEST(SetSize, CutsAWeightAlongAnyAxis) {
  const auto model = [](const std::string& weight) {
    return "g (float[2] x) => (float[2] y, float z) <" + weight + "> { y = Abs(x)  z = ReduceSum(w) }";
  };
  const std::string weight = "float[2,3,2] w = {1,2,3,4,5,6,7,8,9,10,11,12}";
  expect_size(model(weight), {"w", 0, 1}, model("float[1,3,2] w = {1,2,3,4,5,6}"));
  expect_size(model(weight), {"w", 1, 2}, model("float[2,2,2] w = {1,2,3,4,7,8,9,10}"));
  expect_size(model(weight), {"w", 2, 1}, model("float[2,3,1] w = {1,3,5,7,9,11}"));
}

TEST(SetSize, OfInputsOutputsAndValueInfos) {
  expect_size("g (float[4,2] x) => (float[4,2] y) { y = Abs(x) }", {"x", 0, 1},
              "g (float[1,2] x) => (float[4,2] y) { y = Abs(x) }");
  expect_size("g (float[N,2] x) => (float[N,2] y) { y = Abs(x) }", {"x", 0, 2},
              "g (float[2,2] x) => (float[N,2] y) { y = Abs(x) }");
  expect_size("g (float[4,2] x) => (float[4,2] y) { y = Abs(x) }", {"y", 1, 1},
              "g (float[4,2] x) => (float[4,1] y) { y = Abs(x) }");
}

TEST(SetSize, KeepsSmallerSizes) {
  const std::string model = "g (float[4,2] x) => (float[N,2] y) <float[2] w = {1,2}> { a = Abs(x)  y = Add(a, w) }";
  expect_size(model, {"x", 0, 4}, model, 0);
  expect_size(model, {"w", 0, 3}, model, 0);
  expect_size(model, {"y", 0, 1}, model, 0);
  expect_size(model, {"x", 2, 1}, model, 0);
  expect_size(model, {"nowhere", 0, 1}, model, 0);
}

TEST(SetSize, AWeightThatCannotBeReadIsLeftAloneWithAllThatBelongsToIt) {
  model::Model model = parse("g (float[4] x) => (float[4] y) <float[4] w = {1,2,3,4}> { y = Add(x, w) }");
  onnx::TensorProto& weight = *model.graph().mutable_initializer(0);
  weight.clear_float_data();
  weight.clear_raw_data();
  weight.set_raw_data("too short");
  const std::string before = model.proto.SerializeAsString();  // such a weight can't be printed
  const ModelChange change{"smaller", {SetSize{"x", 0, 1}, SetSize{"w", 0, 1}}};
  const Applied result = apply(model, {&change}, known_value_infos(model));
  EXPECT_EQ(result.applied, 0);
  EXPECT_EQ(result.model.proto.SerializeAsString(), before);
}

}  // namespace
}  // namespace assay::edit
