#include "run/tensor_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "model/load.h"

namespace assay::run {
namespace {

using tensor::ElementType;
using tensor::NamedTensors;
using tensor::Tensor;

NamedTensors input(const tensor::Shape& shape) {
  NamedTensors inputs;
  inputs.set("x", Tensor::of<float>(ElementType::float32, shape,
                                    std::vector<float>(static_cast<std::size_t>(*tensor::element_count(shape)))));
  return inputs;
}

model::Model dynamic() {
  return model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17, "Custom" : 1]>
    g (float[N, 3] x) => (float[M, 3] z) <float16[2, 2] d> {
      a = Neg(x) h = Cast<to = 10>(a) n = NonZero(x) d = Custom.Op(x) z = Identity(a)
    })")
      .value();
}

std::vector<std::optional<std::uint64_t>> bytes(const std::vector<TensorSize>& sizes) {
  std::vector<std::optional<std::uint64_t>> found;
  for (const TensorSize& size : sizes) found.push_back(size.bytes);
  return found;
}

TEST(TensorSizes, FollowTheShapesOfTheInputs) {
  const auto sizes = infer_sizes(dynamic(), {"x", "a", "h", "z"}, input({5, 3}));
  EXPECT_EQ(bytes(sizes), (std::vector<std::optional<std::uint64_t>>{60, 60, 30, 60}));
}

TEST(TensorSizes, AreUnknownWhereOnlyRunningTells) {
  const auto sizes = infer_sizes(dynamic(), {"n"}, input({5, 3}));
  EXPECT_EQ(sizes[0].bytes, std::nullopt);
  EXPECT_EQ(sizes[0].type, ElementType::int64);
}

TEST(TensorSizes, AModelAskedForShapesHidesNoNameOfABody) {
  const model::Model model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (bool c, float[2] x) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] shape_0) { shape_0 = Neg(x) },
                  else_branch = e () => (float[2] b) { b = Abs(x) }>
    })")
                                 .value();
  const worker::ModelSource source = shapes_source(model, {"y"}).value();
  onnx::ModelProto asking;
  ASSERT_TRUE(asking.ParseFromString(std::string(std::get<worker::ModelBytes>(source).bytes.view())));
  ASSERT_EQ(asking.graph().output_size(), 1);
  EXPECT_EQ(asking.graph().output(0).name(), "shape_0_");
}

TEST(TensorSizes, AModelAskedForShapesHasNothingElseForOutputs) {
  const worker::ModelSource source = shapes_source(dynamic(), {"n", "a"}).value();
  onnx::ModelProto asking;
  ASSERT_TRUE(asking.ParseFromString(std::string(std::get<worker::ModelBytes>(source).bytes.view())));
  ASSERT_EQ(asking.graph().output_size(), 2);
  EXPECT_EQ(asking.graph().output(0).type().tensor_type().elem_type(), onnx::TensorProto::INT64);
  ASSERT_EQ(asking.graph().node_size(), 4) << "NonZero, Neg and two Shape";
  EXPECT_EQ(asking.graph().node(2).input(0), "n");
  const Tensor shape = Tensor::of<std::int64_t>(ElementType::int64, {2}, {2, 7});
  EXPECT_EQ(bytes_of(ElementType::int64, shape), 112U);
  EXPECT_EQ(bytes_of(ElementType::undefined, shape), 112U);
  EXPECT_EQ(bytes_of(ElementType::uint4, shape), 7U);
}

TEST(TensorSizes, StringsCountTheirCharacters) {
  const Tensor strings = Tensor::make_strings({2}, {std::string(1000, 'x'), ""}).value();
  EXPECT_GE(bytes_of(strings), 1000U);
}

}  // namespace
}  // namespace assay::run
