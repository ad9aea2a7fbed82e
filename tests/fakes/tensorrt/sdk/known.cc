#include "known.h"

#include <cmath>
#include <cstring>
#include <exception>

#include "compute.h"
#include "dims.h"
#include "operators/operators.h"

namespace fake_tensorrt {
namespace {

using nvinfer1::DataType;
using nvinfer1::Dims;
using nvinfer1::LayerType;

constexpr std::int64_t kMost = 4096;  // elements; larger tensors aren't shapes

bool is_whole(DataType type) {
  return type == DataType::kINT32 || type == DataType::kINT64;
}

bool can_be_shape(DataType type) {
  return is_whole(type) || type == DataType::kBOOL;
}

std::vector<double> constant(const GraphLayer& layer, DataType type, const Dims& dims) {
  Value value{dims, std::vector<std::byte>(layer.weights.size())};
  std::memcpy(value.bytes.data(), layer.weights.data(), layer.weights.size());
  return numbers_of(value, type);
}

Operands operands_of(const GraphLayer& layer, const Known& known) {
  Operands operands;
  for (const int input : layer.inputs) {
    const auto& numbers = known.numbers.at(input);
    operands.push_back({known.shapes.at(input), numbers ? &*numbers : nullptr});
  }
  return operands;
}

// The operator that computes the same as a layer of TensorRT's own interface; null if there is none.
const Operator* operator_of(const GraphLayer& layer) {
  if (!layer.op.empty()) return find_operator(layer.op);
  if (layer.type == LayerType::kELEMENTWISE) return find_operator("Add");
  return layer.type == LayerType::kIDENTITY ? find_operator("Dropout") : nullptr;
}

std::optional<Dims> shape_of(const Graph& graph, const GraphLayer& layer, const Operands& inputs) {
  if (layer.type == LayerType::kNON_ZERO) return make_dims({inputs.at(0).dims.nbDims, -1});
  if (const Operator* row = operator_of(layer)) return row->shape(layer, inputs);
  return inputs.empty() ? graph.tensors[layer.outputs.at(0)].dims : inputs.at(0).dims;
}

std::optional<std::vector<double>> numbers_of_output(const Graph& graph, const GraphLayer& layer,
                                                     const Operands& inputs, const Dims& dims) {
  if (!is_known(dims) || volume(dims) > kMost) return std::nullopt;
  const DataType type = graph.tensors[layer.outputs.at(0)].type;
  if (layer.type == LayerType::kCONSTANT) return constant(layer, type, dims);
  const Operator* row = operator_of(layer);
  if (row == nullptr) return std::nullopt;
  for (const Operand& input : inputs) {
    const bool is_enough = input.numbers != nullptr || (layer.op == "Shape" && is_known(input.dims));
    if (!is_enough) return std::nullopt;
  }
  std::vector<double> numbers = row->compute(layer, inputs, dims);
  for (double& number : numbers) number = is_whole(type) ? std::trunc(number) : number;
  return numbers;
}

}  // namespace

bool infer_layer(const Graph& graph, const GraphLayer& layer, Known& known) {
  known.shapes.resize(graph.tensors.size());
  known.numbers.resize(graph.tensors.size());
  const Operands inputs = operands_of(layer, known);
  for (const Operand& input : inputs) {
    if (input.dims.nbDims < 0) return false;
  }
  try {
    const auto shape = shape_of(graph, layer, inputs);
    if (!shape) return false;
    auto numbers = numbers_of_output(graph, layer, inputs, *shape);
    const int output = layer.outputs.at(0);
    known.shapes.at(output) = *shape;
    known.numbers.at(output) = std::move(numbers);
    return true;
  } catch (const std::exception&) {  // an index out of range: the model isn't what ONNX wants
    return false;
  }
}

bool infer_shapes(const Graph& graph, Known& known) {
  known.shapes.resize(graph.tensors.size());
  known.numbers.resize(graph.tensors.size());
  for (const GraphLayer& layer : graph.layers) {
    if (!infer_layer(graph, layer, known)) return false;
  }
  return true;
}

std::vector<bool> shape_tensors(const Graph& graph) {
  std::vector<bool> marked(graph.tensors.size(), false);
  for (auto layer = graph.layers.rbegin(); layer != graph.layers.rend(); ++layer) {
    const Operator* row = operator_of(*layer);
    const bool passes_on = row != nullptr && layer->op != "Shape" && marked[layer->outputs.at(0)];
    for (std::size_t i = 0; i < layer->inputs.size(); ++i) {
      const bool is_shape_input = row != nullptr && (row->shape_inputs >> i & 1U) != 0;
      const int input = layer->inputs[i];
      if ((passes_on || is_shape_input) && can_be_shape(graph.tensors[input].type)) marked[input] = true;
    }
  }
  return marked;
}

std::size_t activation_bytes(const Graph& graph, const std::vector<Dims>& shapes) {
  std::size_t bytes = 0;
  for (int index = 0; index < static_cast<int>(graph.tensors.size()); ++index) {
    if (is_input(graph, index) || is_output(graph, index) || !is_known(shapes[index])) continue;
    bytes += static_cast<std::size_t>(volume(shapes[index])) * element_size(graph.tensors[index].type);
  }
  return bytes;
}

std::optional<int> aliased_input(const Graph& graph, int output) {
  for (const GraphLayer& layer : graph.layers) {
    const bool is_its_layer = layer.op == "TensorScatter" && layer.outputs.at(0) == output;
    if (is_its_layer && is_input(graph, layer.inputs.at(0))) return layer.inputs[0];
  }
  return std::nullopt;
}

}  // namespace fake_tensorrt
