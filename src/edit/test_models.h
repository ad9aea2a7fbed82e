// Graphs for the tests of this room and of the reducer.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "model/model.h"

namespace assay::edit::test {

// Builds float graphs node by node; every tensor has the shape [2].
class GraphBuilder {
 public:
  GraphBuilder() {
    proto_.set_ir_version(8);
    onnx::OperatorSetIdProto& opset = *proto_.add_opset_import();
    opset.set_version(17);
    proto_.mutable_graph()->set_name("g");
  }
  GraphBuilder& input(const std::string& name) { return value(*proto_.mutable_graph()->add_input(), name); }
  GraphBuilder& output(const std::string& name) { return value(*proto_.mutable_graph()->add_output(), name); }
  GraphBuilder& initializer(const std::string& name) {
    onnx::TensorProto& tensor = *proto_.mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_dims(2);
    tensor.add_float_data(1);
    tensor.add_float_data(2);
    return *this;
  }
  // Adds a node named "n_" + its first output.
  onnx::NodeProto& node(const std::string& op, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs) {
    onnx::NodeProto& node = *proto_.mutable_graph()->add_node();
    node.set_op_type(op);
    node.set_name("n_" + outputs.front());
    for (const std::string& name : inputs) node.add_input(name);
    for (const std::string& name : outputs) node.add_output(name);
    return node;
  }
  [[nodiscard]] model::Model build() const {
    model::Model model;
    model.proto = proto_;
    return model;
  }
  [[nodiscard]] onnx::ModelProto& proto() { return proto_; }

 private:
  GraphBuilder& value(onnx::ValueInfoProto& info, const std::string& name) {
    info.set_name(name);
    onnx::TypeProto::Tensor& type = *info.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx::TensorProto::FLOAT);
    type.mutable_shape()->add_dim()->set_dim_value(2);
    return *this;
  }
  onnx::ModelProto proto_;
};

// t0 -> n_t1 -> t1 -> ... -> n_t<length>
inline model::Model chain(int length) {
  GraphBuilder graph;
  graph.input("t0").output("t" + std::to_string(length));
  for (int i = 0; i < length; ++i) graph.node("Relu", {"t" + std::to_string(i)}, {"t" + std::to_string(i + 1)});
  return graph.build();
}

// x -> s -> a1 -> a2 -+-> j -> k
//        \-> b1 ------/
inline GraphBuilder diamond() {
  GraphBuilder graph;
  graph.input("x").output("k");
  graph.node("Relu", {"x"}, {"s"});
  graph.node("Relu", {"s"}, {"a1"});
  graph.node("Relu", {"a1"}, {"a2"});
  graph.node("Abs", {"s"}, {"b1"});
  graph.node("Add", {"a2", "b1"}, {"j"});
  graph.node("Relu", {"j"}, {"k"});
  return graph;
}

inline std::vector<std::string> node_names(const model::Model& model) {
  std::vector<std::string> names;
  for (const onnx::NodeProto& node : model.graph().node()) names.push_back(node.name());
  return names;
}

template <class Values>
std::vector<std::string> names_of(const Values& values) {
  std::vector<std::string> names;
  for (const auto& value : values) names.push_back(value.name());
  return names;
}

}  // namespace assay::edit::test
