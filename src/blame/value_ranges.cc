#include "blame/value_ranges.h"

#include <onnx/defs/attr_proto_util.h>

#include <algorithm>
#include <cmath>

#include "run/marked_source.h"
#include "surgeon/float16/rules.h"
#include "tensor/float16_values.h"

namespace assay::blame {
namespace {

void add_node(onnx::GraphProto& graph, const char* op_type, const std::string& from, const std::string& to) {
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(op_type);
  node.add_input(from);
  node.add_output(to);
}

// Adds Abs and ReduceMax after a tensor. Returns the name of the result, a scalar.
std::string add_largest(onnx::GraphProto& graph, const std::string& tensor) {
  const std::string name = tensor + "/assay_largest";
  add_node(graph, "Abs", tensor, name + "/abs");
  add_node(graph, "ReduceMax", name + "/abs", name);
  *graph.mutable_node(graph.node_size() - 1)->add_attribute() = onnx::MakeAttribute("keepdims", 0);
  return name;
}

}  // namespace

base::Expected<std::map<std::string, double>> largest_values(const model::Model& model, const run::EngineSetup& engine,
                                                             const tensor::NamedTensors& inputs, worker::Pool& pool,
                                                             base::Log& log) {
  model::Model measured = model;
  onnx::GraphProto& graph = measured.graph();
  const surgeon::Types types = surgeon::types_by_graph(model).back();  // inner graphs come first
  std::map<std::string, std::string> tensor_of;                        // by the name of its largest value
  std::set<std::string> seen;  // ONNX Runtime accepts models in which several Constant nodes compute the same tensor
  std::vector<std::string> names;
  for (int at = 0, count = graph.node_size(); at < count; ++at) {
    const std::vector<std::string> outputs(graph.node(at).output().begin(), graph.node(at).output().end());
    for (const std::string& output : outputs) {
      const auto type = types.find(output);
      if (output.empty() || type == types.end() || type->second != "tensor(float)") continue;
      if (!seen.insert(output).second) continue;
      names.push_back(add_largest(graph, output));
      tensor_of[names.back()] = output;
    }
  }
  if (names.empty()) return std::map<std::string, double>();
  ASSAY_ASSIGN(const worker::ModelSource source, run::marked_source(measured, names));
  run::EngineRunner runner(engine, source, pool);
  ASSAY_TRY(runner.activate(log));
  ASSAY_ASSIGN(const auto result, runner.run(0, inputs, log));
  std::map<std::string, double> largest;
  if (!result) return largest;
  for (const auto& [name, value] : result->outputs) {
    const auto tensor = tensor_of.find(name);
    if (tensor == tensor_of.end() || value.type() != tensor::ElementType::float32 || value.size() != 1) continue;
    largest[tensor->second] = value.load<float>(0);
  }
  return largest;
}

std::vector<int> suspects(const std::vector<PrecisionCandidate>& nodes, const std::map<std::string, double>& largest,
                          const std::set<std::string>& weights) {
  std::vector<int> positions;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool exceeds = std::ranges::any_of(nodes[i].tensors, [&](const std::string& tensor) {
      const auto value = largest.find(tensor);
      return weights.contains(tensor) || (value != largest.end() && !(value->second < tensor::kFloat16Overflow));
    });
    if (exceeds && nodes[i].body_of.empty()) positions.push_back(static_cast<int>(i));
  }
  return positions;
}

}  // namespace assay::blame
