// Operators that add up along axes: products of matrices, means, softmax.
#include <algorithm>
#include <cmath>

#include "dims.h"
#include "operators/operators.h"

namespace fake_tensorrt {
namespace {

using nvinfer1::Dims;
using nvinfer1::LayerType;
using Numbers = std::vector<double>;
using Sizes = std::vector<std::int64_t>;

// Returns the sizes before the last two.
Dims batch_of(const Dims& dims) {
  Sizes sizes = sizes_of(dims);
  sizes.resize(sizes.size() - 2);
  return make_dims(sizes);
}

std::optional<Dims> multiplied(const GraphLayer& /*layer*/, const Operands& inputs) {
  const Dims& a = inputs.at(0).dims;
  const Dims& b = inputs.at(1).dims;
  if (a.nbDims < 2 || b.nbDims < 2) return std::nullopt;
  const std::int64_t columns = a.d[a.nbDims - 1];
  const std::int64_t rows = b.d[b.nbDims - 2];
  if (columns >= 0 && rows >= 0 && columns != rows) return std::nullopt;
  const auto batch = broadcast(batch_of(a), batch_of(b));
  if (!batch) return std::nullopt;
  Sizes sizes = sizes_of(*batch);
  sizes.insert(sizes.end(), {a.d[a.nbDims - 2], b.d[b.nbDims - 1]});
  return make_dims(sizes);
}

Numbers multiply(const GraphLayer& /*layer*/, const Operands& inputs, const Dims& result) {
  const Dims& a = inputs[0].dims;
  const Dims& b = inputs[1].dims;
  const std::int64_t rows = result.d[result.nbDims - 2];
  const std::int64_t columns = result.d[result.nbDims - 1];
  const std::int64_t inner = a.d[a.nbDims - 1];
  const Dims batch = batch_of(result);
  Numbers numbers(static_cast<std::size_t>(volume(result)), 0);
  for (std::int64_t i = 0; i < volume(batch); ++i) {
    const double* x = inputs[0].numbers->data() + position_in(batch_of(a), batch, i) * rows * inner;
    const double* y = inputs[1].numbers->data() + position_in(batch_of(b), batch, i) * inner * columns;
    double* z = numbers.data() + i * rows * columns;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t k = 0; k < inner; ++k) {
        for (std::int64_t column = 0; column < columns; ++column) {
          z[row * columns + column] += x[row * inner + k] * y[k * columns + column];
        }
      }
    }
  }
  return numbers;
}

// Y = alpha A B + beta C, where A and B may be transposed.
std::optional<Dims> multiplied_and_added(const GraphLayer& layer, const Operands& inputs) {
  const bool is_a_transposed = attribute(layer, "transA", 0) != 0;
  const bool is_b_transposed = attribute(layer, "transB", 0) != 0;
  return make_dims({inputs.at(0).dims.d[is_a_transposed ? 1 : 0], inputs.at(1).dims.d[is_b_transposed ? 0 : 1]});
}

Numbers multiply_and_add(const GraphLayer& layer, const Operands& inputs, const Dims& result) {
  const bool is_a_transposed = attribute(layer, "transA", 0) != 0;
  const bool is_b_transposed = attribute(layer, "transB", 0) != 0;
  const std::int64_t inner = inputs[0].dims.d[is_a_transposed ? 0 : 1];
  const double alpha = real_attribute(layer, "alpha", 1);
  const double beta = real_attribute(layer, "beta", 1);
  const auto at = [](const Operand& operand, std::int64_t row, std::int64_t column, bool is_transposed) {
    if (is_transposed) std::swap(row, column);
    return (*operand.numbers)[static_cast<std::size_t>(row * operand.dims.d[1] + column)];
  };
  Numbers numbers;
  for (std::int64_t i = 0; i < volume(result); ++i) {
    const std::int64_t row = i / result.d[1];
    const std::int64_t column = i % result.d[1];
    double sum = 0;
    for (std::int64_t k = 0; k < inner; ++k) {
      sum += at(inputs[0], row, k, is_a_transposed) * at(inputs[1], k, column, is_b_transposed);
    }
    sum *= alpha;
    if (inputs.size() > 2) {
      sum += beta * (*inputs[2].numbers)[static_cast<std::size_t>(position_in(inputs[2].dims, result, i))];
    }
    numbers.push_back(sum);
  }
  return numbers;
}

// The axes that a reduction removes; all if none are given.
std::optional<std::vector<bool>> reduced_axes(const GraphLayer& layer, const Operands& inputs) {
  const int rank = inputs.at(0).dims.nbDims;
  const auto axes = inputs.size() > 1 ? whole(inputs[1]) : std::optional(attributes(layer, "axes", {}));
  if (!axes) return std::nullopt;
  std::vector<bool> reduced(static_cast<std::size_t>(rank), axes->empty());
  for (const std::int64_t axis : *axes) reduced.at(static_cast<std::size_t>(from_front(axis, rank))) = true;
  return reduced;
}

std::optional<Dims> reduced_shape(const GraphLayer& layer, const Operands& inputs) {
  const auto reduced = reduced_axes(layer, inputs);
  if (!reduced) return std::nullopt;
  const bool keeps = attribute(layer, "keepdims", 1) != 0;
  Sizes sizes;
  for (std::size_t axis = 0; axis < reduced->size(); ++axis) {
    if (!(*reduced)[axis]) sizes.push_back(inputs[0].dims.d[axis]);
    if ((*reduced)[axis] && keeps) sizes.push_back(1);
  }
  return make_dims(sizes);
}

template <double (*function)(double, double), bool is_mean>
Numbers reduce(const GraphLayer& layer, const Operands& inputs, const Dims& result) {
  const Dims& from = inputs[0].dims;
  const auto reduced = reduced_axes(layer, inputs).value();
  std::vector<bool> has_any(static_cast<std::size_t>(volume(result)), false);
  Numbers numbers(has_any.size(), 0);
  for (std::int64_t i = 0; i < volume(from); ++i) {
    std::int64_t rest = i;
    std::int64_t position = 0;
    std::int64_t stride = 1;
    for (int axis = from.nbDims - 1; axis >= 0; --axis) {
      const std::int64_t index = rest % from.d[axis];
      rest /= from.d[axis];
      if (reduced[static_cast<std::size_t>(axis)]) continue;
      position += index * stride;
      stride *= from.d[axis];
    }
    const auto at = static_cast<std::size_t>(position);
    const double number = (*inputs[0].numbers)[static_cast<std::size_t>(i)];
    numbers[at] = has_any[at] ? function(numbers[at], number) : number;
    has_any[at] = true;
  }
  const double count = numbers.empty() ? 1 : static_cast<double>(volume(from)) / static_cast<double>(numbers.size());
  for (double& number : numbers) number /= is_mean ? count : 1;
  return numbers;
}

double sum(double a, double b) {
  return a + b;
}
double larger(double a, double b) {
  return std::max(a, b);
}
double smaller(double a, double b) {
  return std::min(a, b);
}

// Before operator set 13, the axis and all after it are one.
Numbers softmax(const GraphLayer& layer, const Operands& inputs, const Dims& result) {
  const bool is_old = attribute(layer, "opset", 13) < 13;
  const int axis = from_front(attribute(layer, "axis", is_old ? 1 : -1), result.nbDims);
  const std::int64_t size = is_old ? product(result, axis, result.nbDims) : result.d[axis];
  const std::int64_t inner = is_old ? 1 : product(result, axis + 1, result.nbDims);
  Numbers numbers = *inputs.at(0).numbers;
  const std::int64_t rows = size == 0 ? 0 : volume(result) / size;
  for (std::int64_t row = 0; row < rows; ++row) {
    double* first = numbers.data() + row / inner * size * inner + row % inner;
    double largest = first[0];
    for (std::int64_t i = 1; i < size; ++i) largest = std::max(largest, first[i * inner]);
    double total = 0;
    for (std::int64_t i = 0; i < size; ++i) total += first[i * inner] = std::exp(first[i * inner] - largest);
    for (std::int64_t i = 0; i < size; ++i) first[i * inner] /= total;
  }
  return numbers;
}

}  // namespace

std::vector<Operator> sum_operators() {
  return {{"MatMul", LayerType::kMATRIX_MULTIPLY, 2, 2, 0, multiplied, multiply},
          {"Gemm", LayerType::kMATRIX_MULTIPLY, 2, 3, 0, multiplied_and_added, multiply_and_add},
          {"ReduceMean", LayerType::kREDUCE, 1, 2, 0b10, reduced_shape, reduce<sum, true>},
          {"ReduceSum", LayerType::kREDUCE, 1, 2, 0b10, reduced_shape, reduce<sum, false>},
          {"ReduceMax", LayerType::kREDUCE, 1, 2, 0b10, reduced_shape, reduce<larger, false>},
          {"ReduceMin", LayerType::kREDUCE, 1, 2, 0b10, reduced_shape, reduce<smaller, false>},
          {"Softmax", LayerType::kSOFTMAX, 1, 1, 0, same_shape, softmax}};
}

}  // namespace fake_tensorrt
