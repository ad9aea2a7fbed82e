#include "model/bare_model.h"

#include "model/onnx_facts.h"
#include "model/shapes.h"

namespace assay::model {

Model bare_model(const onnx::ModelProto& like) {
  constexpr int kCommonOpset = 13;  // every engine knows it
  Model bare;
  bare.proto.set_ir_version(like.ir_version());
  *bare.proto.mutable_opset_import() = like.opset_import();
  if (opset_version(like, kDefaultDomain) == 0) bare.proto.add_opset_import()->set_version(kCommonOpset);
  onnx::GraphProto& graph = bare.graph();
  graph.set_name("bare");
  const TensorInfo info = static_info(tensor::ElementType::float32, {1});
  *graph.add_input() = to_value_info("x", info);
  *graph.add_output() = to_value_info("y", info);
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type("Identity");
  node.add_input("x");
  node.add_output("y");
  return bare;
}

}  // namespace assay::model
