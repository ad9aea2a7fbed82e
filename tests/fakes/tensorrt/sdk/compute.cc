#include "compute.h"

#include <bit>
#include <cstring>

#include "dims.h"
#include "operators/operators.h"

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
  value.bytes.resize(value.bytes.size() + sizeof(T));
  std::memcpy(value.bytes.data() + value.bytes.size() - sizeof(T), &element, sizeof(T));
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
  if (type == DataType::kINT8) return static_cast<double>(element<std::int8_t>(value, index));
  if (type == DataType::kUINT8 || type == DataType::kBOOL) {
    return static_cast<double>(element<std::uint8_t>(value, index));
  }
  return static_cast<double>(element<std::int64_t>(value, index));
}

void append_number(Value& value, DataType type, double number) {
  if (type == DataType::kFLOAT) append(value, static_cast<float>(number));
  if (type == DataType::kBF16) append(value, to_bfloat16(static_cast<float>(number)));
  if (type == DataType::kHALF) append(value, static_cast<_Float16>(number));
  if (type == DataType::kINT32) append(value, static_cast<std::int32_t>(number));
  if (type == DataType::kINT64) append(value, static_cast<std::int64_t>(number));
  if (type == DataType::kINT8) append(value, static_cast<std::int8_t>(number));
  if (type == DataType::kUINT8 || type == DataType::kBOOL) append(value, static_cast<std::uint8_t>(number));
}

bool is_number(DataType type) {
  return type == DataType::kFLOAT || type == DataType::kHALF || type == DataType::kINT32 || type == DataType::kINT64;
}

}  // namespace

std::vector<double> numbers_of(const Value& value, DataType type) {
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < volume(value.dims); ++i) numbers.push_back(number_at(value, type, i));
  return numbers;
}

Value value_of(const std::vector<double>& numbers, DataType type, const Dims& dims) {
  Value value{dims, {}};
  for (const double number : numbers) append_number(value, type, number);
  return value;
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

Value compute_operator(const GraphLayer& layer, const std::vector<DataType>& types,
                       const std::vector<const Value*>& inputs) {
  std::vector<std::vector<double>> numbers;
  Operands operands;
  for (std::size_t i = 0; i < inputs.size(); ++i) numbers.push_back(numbers_of(*inputs[i], types[i]));
  for (std::size_t i = 0; i < inputs.size(); ++i) operands.push_back({inputs[i]->dims, &numbers[i]});
  const Operator& row = *find_operator(layer.op);
  const Dims dims = row.shape(layer, operands).value();
  return value_of(row.compute(layer, operands, dims), result_type(layer, types.at(0)), dims);
}

Value compute_as(const GraphLayer& layer, const std::vector<DataType>& types, const std::vector<const Value*>& inputs,
                 const Dims& declared) {
  if (!layer.op.empty()) return compute_operator(layer, types, inputs);
  const DataType type = types.empty() ? DataType::kFLOAT : types[0];
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
Value compute(const GraphLayer& layer, const std::vector<DataType>& types, const std::vector<const Value*>& inputs,
              const Dims& declared) {
  const DataType type = types.empty() ? DataType::kFLOAT : types[0];
  const DataType precision = layer.precision.value_or(type);
  const bool is_lower = precision == DataType::kHALF || precision == DataType::kBF16;
  if (type != DataType::kFLOAT || !is_lower || result_type(layer, type) != type) {
    return compute_as(layer, types, inputs, declared);
  }
  std::vector<Value> values;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    values.push_back(types[i] == DataType::kFLOAT ? rounded(*inputs[i], precision) : *inputs[i]);
  }
  std::vector<const Value*> operands;
  for (const Value& value : values) operands.push_back(&value);
  return rounded(compute_as(layer, types, operands, declared), precision);
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
