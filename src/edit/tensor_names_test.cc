#include "edit/tensor_names.h"

#include <gtest/gtest.h>

#include "edit/model_texts.h"

namespace assay::edit {
namespace {

TEST(TensorNames, TakesNamesThatNeitherTheGraphNorItsBodiesHave) {
  const model::Model model = test::parse(R"(g (bool c, float[2] x) => (y) <float[1] w = {1}> {
    y = If (c) <then_branch = t () => (float[2] a) { a = Neg(x) }, else_branch = e () => (float[2] b) { b = Abs(x) }>
  })");
  TensorNames names(model.graph());
  for (const char* taken : {"c", "x", "y", "w", "a", "b"}) EXPECT_EQ(names.take(taken), taken + std::string("_2"));
  EXPECT_EQ(names.take("z"), "z");
  EXPECT_EQ(names.take("z"), "z_2") << "now it's taken";
  EXPECT_EQ(names.take("z"), "z_3");
  EXPECT_EQ(names.take("z", 0), "z_0");
  EXPECT_FALSE(names.add("x"));
  EXPECT_TRUE(names.add("n"));
  EXPECT_FALSE(names.add("n"));
}

}  // namespace
}  // namespace assay::edit
