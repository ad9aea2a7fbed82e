#include "model/initializers.h"

#include <gmock/gmock.h>

namespace assay::model {
namespace {

TEST(Initializers, DenseAndSparseOnesHaveOneForm) {
  onnx::GraphProto graph;
  onnx::SparseTensorProto& sparse = *graph.add_sparse_initializer();
  sparse.mutable_values()->set_name("s");
  sparse.mutable_values()->set_data_type(onnx::TensorProto::FLOAT16);
  sparse.mutable_values()->add_dims(5);
  sparse.mutable_indices()->set_data_type(onnx::TensorProto::INT64);
  sparse.mutable_indices()->add_dims(5);
  sparse.add_dims(10);
  sparse.add_dims(20);
  onnx::TensorProto& dense = *graph.add_initializer();
  dense.set_name("d");
  dense.set_data_type(onnx::TensorProto::FLOAT);
  dense.add_dims(3);

  const auto found = initializers(graph);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "d");
  EXPECT_EQ(found[0].dense, &dense);
  EXPECT_EQ(found[0].sparse, nullptr);
  EXPECT_EQ(found[0].bytes, 12u);
  EXPECT_EQ(found[1].name, "s");
  EXPECT_EQ(found[1].sparse, &sparse);
  EXPECT_EQ(found[1].type, tensor::ElementType::float16);
  EXPECT_EQ(found[1].shape, (tensor::Shape{10, 20}));
  EXPECT_EQ(found[1].bytes, 5u * 2 + 5 * 8);
  EXPECT_THAT(initializer_names(graph), testing::UnorderedElementsAre("d", "s"));
  EXPECT_EQ(initializer_bytes(graph), 62u);
}

}  // namespace
}  // namespace assay::model
