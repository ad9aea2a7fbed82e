#include "compute.h"

#include <bit>
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

// A bfloat16 number is the upper half of a float32 number.
constexpr unsigned kBfloat16Shift = 16;

float from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << kBfloat16Shift);
}
std::uint16_t to_bfloat16(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  const std::uint32_t odd = bits >> kBfloat16Shift & 1U;  // ties to even
  return static_cast<std::uint16_t>((bits + 0x7FFFU + odd) >> kBfloat16Shift);
}

double number_at(const Value& value, DataType type, std::int64_t index) {
  if (type == DataType::kFLOAT) return static_cast<double>(element<float>(value, index));
  if (type == DataType::kBF16) return static_cast<double>(from_bfloat16(element<std::uint16_t>(value, index)));
  if (type == DataType::kHALF) return static_cast<double>(element<_Float16>(value, index));
  if (type == DataType::kINT32) return static_cast<double>(element<std::int32_t>(value, index));
  return static_cast<double>(element<std::int64_t>(value, index));
}

void append_number(Value& value, DataType type, double number) {
  if (type == DataType::kFLOAT) append(value, static_cast<float>(number));
  if (type == DataType::kBF16) append(value, to_bfloat16(static_cast<float>(number)));
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

namespace {

Value compute_as(const GraphLayer& layer, DataType type, const std::vector<const Value*>& inputs,
                 const Dims& declared) {
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

Value rounded(const Value& value, DataType precision) {
  return convert(convert(value, DataType::kFLOAT, precision), precision, DataType::kFLOAT);
}

}  // namespace

// A layer that runs in a lower precision rounds what it reads and what it computes.
Value compute(const GraphLayer& layer, DataType type, const std::vector<const Value*>& inputs, const Dims& declared) {
  const DataType precision = layer.precision.value_or(type);
  const bool is_lower = precision == DataType::kHALF || precision == DataType::kBF16;
  if (type != DataType::kFLOAT || !is_lower) return compute_as(layer, type, inputs, declared);
  std::vector<Value> values;
  for (const Value* input : inputs) values.push_back(rounded(*input, precision));
  std::vector<const Value*> operands;
  for (const Value& value : values) operands.push_back(&value);
  return rounded(compute_as(layer, type, operands, declared), precision);
}

Value made_wrong(const Value& value) {
  Value wrong{value.dims, {}};
  for (std::int64_t i = 0; i < volume(value.dims); ++i) append(wrong, element<float>(value, i) + 1);
  return wrong;
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
