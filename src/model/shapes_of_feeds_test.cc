#include "model/shapes_of_feeds.h"

#include <gtest/gtest.h>

#include "model/load.h"

namespace assay::model {
namespace {

using tensor::ElementType;
using tensor::Tensor;

TEST(ShapesOfFeeds, TakesTensorsAndLeavesOutTheRest) {
  Model model = parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[N] x, float s, float[N] unfed, optional(float[N]) o) => (float[N] y) { y = Add(x, s) })")
                    .value();
  tensor::NamedTensors feeds;
  feeds.set("x", Tensor::of<float>(ElementType::float32, {2}, {1, 2}));
  feeds.set("s", Tensor::of<float>(ElementType::float32, {}, {1}));
  feeds.set("o", Tensor::of<float>(ElementType::float32, {1}, {1}));
  feeds.set("other", Tensor::of<float>(ElementType::float32, {1}, {1}));
  const auto shapes = shapes_of_feeds(model, feeds);
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_TRUE(shapes.at("s").empty()) << "a scalar has a shape, too";
  ASSERT_EQ(shapes.at("x").size(), 1u);
  EXPECT_EQ(shapes.at("x").front().value, 2);
  const std::string before = model.graph().input(3).SerializeAsString();
  override_input_shapes(model, shapes);
  EXPECT_EQ(model.graph().input(0).type().tensor_type().shape().dim(0).dim_value(), 2);
  override_input_shapes(model, {{"o", {{1, ""}}}});
  EXPECT_EQ(model.graph().input(3).SerializeAsString(), before);
}

}  // namespace
}  // namespace assay::model
