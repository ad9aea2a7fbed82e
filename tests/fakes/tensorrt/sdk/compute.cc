#include "compute.h"

#include <cstring>

#include "dims.h"

namespace fake_tensorrt {
namespace {

using nvinfer1::DataType;
using nvinfer1::Dims;
using nvinfer1::LayerType;

template <class T>
T element(const Value& value, std::int64_t index) {
  T result;
  std::memcpy(&result, value.bytes.data() + static_cast<std::size_t>(index) * sizeof(T), sizeof(T));
  return result;
}

template <class T>
void append(Value& value, T element) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&element);
  value.bytes.insert(value.bytes.end(), bytes, bytes + sizeof(T));
}

// Returns the position in a broadcast operand for a position in the result.
std::int64_t position_in(const Dims& operand, const Dims& result, std::int64_t position) {
  std::int64_t found = 0;
  std::int64_t stride = 1;
  for (int axis = result.nbDims - 1; axis >= 0; --axis) {
    const std::int64_t index = position % result.d[axis];
    position /= result.d[axis];
    const int own_axis = axis - (result.nbDims - operand.nbDims);
    if (own_axis < 0) continue;
    if (operand.d[own_axis] != 1) found += index * stride;
    stride *= operand.d[own_axis];
  }
  return found;
}

template <class T>
Value add(const Value& one, const Value& other, const Dims& dims) {
  Value sum{dims, {}};
  const std::int64_t count = volume(dims);
  for (std::int64_t i = 0; i < count; ++i) {
    const T a = element<T>(one, position_in(one.dims, dims, i));
    const T b = element<T>(other, position_in(other.dims, dims, i));
    append(sum, static_cast<T>(a + b));
  }
  return sum;
}

Value relu(const Value& input) {
  Value result{input.dims, {}};
  for (std::int64_t i = 0; i < volume(input.dims); ++i) {
    const float number = element<float>(input, i);
    append(result, number < 0 ? 0.0F : number);  // NaN stays NaN
  }
  return result;
}

// The indices of elements other than 0, one column each.
Value non_zero(const Value& input) {
  std::vector<std::int64_t> found;
  for (std::int64_t i = 0; i < volume(input.dims); ++i) {
    if (element<float>(input, i) != 0) found.push_back(i);
  }
  Value result{make_dims({input.dims.nbDims, static_cast<std::int64_t>(found.size())}), {}};
  for (int axis = 0; axis < input.dims.nbDims; ++axis) {
    std::int64_t stride = 1;
    for (int inner = axis + 1; inner < input.dims.nbDims; ++inner) stride *= input.dims.d[inner];
    for (const std::int64_t position : found) append(result, position / stride % input.dims.d[axis]);
  }
  return result;
}

double number_at(const Value& value, DataType type, std::int64_t index) {
  if (type == DataType::kFLOAT) return static_cast<double>(element<float>(value, index));
  if (type == DataType::kHALF) return static_cast<double>(element<_Float16>(value, index));
  if (type == DataType::kINT32) return static_cast<double>(element<std::int32_t>(value, index));
  return static_cast<double>(element<std::int64_t>(value, index));
}

void append_number(Value& value, DataType type, double number) {
  if (type == DataType::kFLOAT) append(value, static_cast<float>(number));
  if (type == DataType::kHALF) append(value, static_cast<_Float16>(number));
  if (type == DataType::kINT32) append(value, static_cast<std::int32_t>(number));
  if (type == DataType::kINT64) append(value, static_cast<std::int64_t>(number));
}

bool is_number(DataType type) {
  return type == DataType::kFLOAT || type == DataType::kHALF || type == DataType::kINT32 || type == DataType::kINT64;
}

}  // namespace

std::optional<Dims> output_shape(const GraphLayer& layer, const std::vector<Dims>& inputs, const Dims& declared) {
  if (layer.type == LayerType::kELEMENTWISE) return broadcast(inputs.at(0), inputs.at(1));
  if (layer.type == LayerType::kNON_ZERO) return make_dims({inputs.at(0).nbDims, -1});
  return inputs.empty() ? declared : inputs.at(0);
}

bool infer_shapes(const Graph& graph, std::vector<Dims>& shapes) {
  shapes.resize(graph.tensors.size());
  for (const GraphLayer& layer : graph.layers) {
    std::vector<Dims> inputs;
    for (const int input : layer.inputs) inputs.push_back(shapes.at(input));
    const int output = layer.outputs.at(0);
    const auto shape = output_shape(layer, inputs, graph.tensors[output].dims);
    if (!shape) return false;
    shapes.at(output) = *shape;
  }
  return true;
}

bool can_compute(LayerType layer, DataType type) {
  switch (layer) {
    case LayerType::kIDENTITY:
    case LayerType::kCONSTANT:
      return element_size(type) > 0;
    case LayerType::kELEMENTWISE:
      return is_number(type);
    case LayerType::kACTIVATION:
    case LayerType::kNON_ZERO:
      return type == DataType::kFLOAT;
    default:
      return false;
  }
}

Value compute(const GraphLayer& layer, DataType type, const std::vector<const Value*>& inputs, const Dims& declared) {
  switch (layer.type) {
    case LayerType::kIDENTITY:
      return *inputs.at(0);
    case LayerType::kACTIVATION:
      return relu(*inputs.at(0));
    case LayerType::kNON_ZERO:
      return non_zero(*inputs.at(0));
    case LayerType::kELEMENTWISE: {
      const Dims dims = broadcast(inputs.at(0)->dims, inputs.at(1)->dims).value();
      if (type == DataType::kHALF) return add<_Float16>(*inputs.at(0), *inputs.at(1), dims);
      if (type == DataType::kINT32) return add<std::int32_t>(*inputs.at(0), *inputs.at(1), dims);
      if (type == DataType::kINT64) return add<std::int64_t>(*inputs.at(0), *inputs.at(1), dims);
      return add<float>(*inputs.at(0), *inputs.at(1), dims);
    }
    default: {
      Value constant{declared, std::vector<std::byte>(layer.weights.size())};
      std::memcpy(constant.bytes.data(), layer.weights.data(), layer.weights.size());
      return constant;
    }
  }
}

bool can_convert(DataType from, DataType to) {
  return from == to || (is_number(from) && is_number(to));
}

Value convert(Value value, DataType from, DataType to) {
  if (from == to) return value;
  Value result{value.dims, {}};
  for (std::int64_t i = 0; i < volume(value.dims); ++i) append_number(result, to, number_at(value, from, i));
  return result;
}

}  // namespace fake_tensorrt
