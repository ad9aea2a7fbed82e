#include "model/visit_tensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace assay::model {
namespace {

TEST(VisitTensors, FindsThemAll) {
  onnx::ModelProto model;
  int made = 0;
  const auto name = [&](onnx::TensorProto* tensor) { tensor->set_name(std::to_string(made++)); };
  const auto fill_attribute = [&](onnx::AttributeProto* attribute) {
    name(attribute->mutable_t());
    name(attribute->add_tensors());
    name(attribute->mutable_sparse_tensor()->mutable_values());
    name(attribute->mutable_sparse_tensor()->mutable_indices());
    name(attribute->add_sparse_tensors()->mutable_values());
  };
  const auto fill_graph = [&](onnx::GraphProto* graph) {
    name(graph->add_initializer());
    name(graph->add_sparse_initializer()->mutable_values());
    fill_attribute(graph->add_node()->add_attribute());
  };
  fill_graph(model.mutable_graph());
  onnx::AttributeProto* bodies = model.mutable_graph()->add_node()->add_attribute();
  fill_graph(bodies->mutable_g());
  fill_graph(bodies->add_graphs());
  onnx::FunctionProto* function = model.add_functions();
  fill_attribute(function->add_attribute_proto());
  fill_attribute(function->add_node()->add_attribute());
  fill_graph(model.add_training_info()->mutable_algorithm());
  fill_graph(model.mutable_training_info(0)->mutable_initialization());

  std::vector<std::string> seen;
  std::vector<std::string> initializers;
  visit_tensors(std::as_const(model), [&](const onnx::TensorProto& tensor, TensorRole role) {
    seen.push_back(tensor.name());
    if (role == TensorRole::initializer) initializers.push_back(tensor.name());
  });
  EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), static_cast<std::size_t>(made));
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(made)) << "each once";
  EXPECT_THAT(initializers, testing::SizeIs(3)) << "of the graph and its bodies";

  visit_tensors(model, [](onnx::TensorProto& tensor, TensorRole) { tensor.set_name("x"); });
  visit_tensors(std::as_const(model),
                [](const onnx::TensorProto& tensor, TensorRole) { EXPECT_EQ(tensor.name(), "x"); });
}

}  // namespace
}  // namespace assay::model
