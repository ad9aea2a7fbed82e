#include "model/inference/model_frame.h"

#include <google/protobuf/message.h>
#include <gtest/gtest.h>

namespace assay::model {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Gives each field of a message a value; nested messages stay empty.
void fill(Message& message) {
  const auto& reflection = *message.GetReflection();
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const FieldDescriptor* field = message.GetDescriptor()->field(i);
    if (field->is_repeated()) {
      ASSERT_EQ(field->cpp_type(), FieldDescriptor::CPPTYPE_MESSAGE) << field->full_name();
      reflection.AddMessage(&message, field);
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      reflection.MutableMessage(&message, field);
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
      reflection.SetString(&message, field, field->name());
    } else {
      ASSERT_EQ(field->cpp_type(), FieldDescriptor::CPPTYPE_INT64) << field->full_name();
      reflection.SetInt64(&message, field, 7);
    }
  }
  reflection.MutableUnknownFields(&message)->AddVarint(1000, 9);
}

TEST(ModelFrame, HasAllThatDoesNotGrowWithTheGraph) {
  onnx::ModelProto model;
  fill(model);
  fill(*model.mutable_graph());
  onnx::ModelProto expected = model;
  expected.clear_training_info();
  onnx::GraphProto& graph = *expected.mutable_graph();
  graph.clear_node();
  graph.clear_initializer();
  graph.clear_sparse_initializer();
  graph.clear_input();
  graph.clear_output();
  graph.clear_value_info();
  graph.clear_quantization_annotation();
  EXPECT_EQ(model_frame(model).DebugString(), expected.DebugString());
}

TEST(ModelFrame, AddsNothingToTheModel) {
  onnx::ModelProto model;
  model.mutable_graph()->set_name("g");
  EXPECT_EQ(model_frame(model).SerializeAsString(), model.SerializeAsString());
}

}  // namespace
}  // namespace assay::model
