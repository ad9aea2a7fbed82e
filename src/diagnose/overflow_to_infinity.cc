#include "diagnose/overflow_to_infinity.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "edit/tensor_names.h"
#include "edit/visit_graphs.h"
#include "tensor/float16_values.h"

namespace assay::diagnose {
namespace {

class AddedNodes {
 public:
  explicit AddedNodes(onnx::GraphProto& graph) : graph_(graph), names_(graph) {
    limit_ = add_constant("float16_overflow", tensor::kFloat16Overflow);
    infinity_ = add_constant("infinity", std::numeric_limits<double>::infinity());
  }

  std::string unused_name(const std::string& wanted) { return names_.take(wanted, 1); }

  // Appends nodes to `nodes` that compute `rounded` from `exact`.
  void add_to(edit::Nodes& nodes, const std::string& exact, const std::string& rounded) {
    const auto add = [&](const char* op_type, const std::vector<std::string>& inputs, std::string output) {
      onnx::NodeProto& node = *nodes.Add();
      node.set_op_type(op_type);
      node.mutable_input()->Assign(inputs.begin(), inputs.end());
      node.add_output(output);
      return output;
    };
    const std::string size = add("Abs", {exact}, unused_name(rounded + "_size"));
    const std::string fits = add("Less", {size, limit_}, unused_name(rounded + "_fits"));
    const std::string infinite = add("Mul", {exact, infinity_}, unused_name(rounded + "_infinite"));
    add("Where", {fits, exact, infinite}, rounded);
  }

 private:
  std::string add_constant(const std::string& wanted, double value) {
    onnx::TensorProto& constant = *graph_.add_initializer();
    constant.set_name(unused_name(wanted));
    constant.set_data_type(onnx::TensorProto::DOUBLE);
    constant.add_double_data(value);
    return constant.name();
  }

  onnx::GraphProto& graph_;
  edit::TensorNames names_;
  std::string limit_, infinity_;
};

}  // namespace

void overflow_to_infinity(model::Model& model, const std::set<std::string>& tensors) {
  onnx::GraphProto& graph = model.graph();
  AddedNodes added(graph);
  edit::Nodes nodes;
  nodes.Swap(graph.mutable_node());
  for (onnx::NodeProto& node : nodes) {
    onnx::NodeProto& kept = *graph.add_node();
    kept.Swap(&node);
    for (std::string& output : *kept.mutable_output()) {
      if (!tensors.contains(output)) continue;
      const std::string rounded = std::exchange(output, added.unused_name(output + "_exact"));
      added.add_to(*graph.mutable_node(), output, rounded);
    }
  }
}

}  // namespace assay::diagnose
