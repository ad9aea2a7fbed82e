// Convolution and pooling: operators that move a window over the sizes after batch and channels.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dims.h"
#include "operators/operators.h"

namespace fake_tensorrt {
namespace {

using nvinfer1::Dims;
using nvinfer1::LayerType;
using Numbers = std::vector<double>;
using Sizes = std::vector<std::int64_t>;

struct Window {
  Sizes kernel, strides, pads, dilations;
  bool rounds_up = false;
};

Window window_of(const GraphLayer& layer, const Operands& inputs) {
  const auto axes = static_cast<std::size_t>(inputs.at(0).dims.nbDims - 2);
  Sizes own;
  for (int axis = 2; inputs.size() > 1 && axis < inputs[1].dims.nbDims; ++axis) own.push_back(inputs[1].dims.d[axis]);
  return {.kernel = attributes(layer, "kernel_shape", own),
          .strides = attributes(layer, "strides", Sizes(axes, 1)),
          .pads = attributes(layer, "pads", Sizes(axes * 2, 0)),
          .dilations = attributes(layer, "dilations", Sizes(axes, 1)),
          .rounds_up = attribute(layer, "ceil_mode", 0) != 0};
}

// Returns the positions of a window along each axis.
std::optional<Dims> moved(const GraphLayer& layer, const Operands& inputs, std::int64_t channels) {
  const Window window = window_of(layer, inputs);
  Dims result = inputs.at(0).dims;
  if (result.nbDims < 3) return std::nullopt;
  result.d[1] = channels;
  const auto axes = static_cast<std::size_t>(result.nbDims - 2);
  if (window.kernel.size() != axes || window.strides.size() != axes || window.pads.size() != axes * 2)
    return std::nullopt;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    std::int64_t& size = result.d[axis + 2];
    if (size < 0) continue;
    const std::int64_t reach = window.dilations[axis] * (window.kernel[axis] - 1) + 1;
    const std::int64_t room = size + window.pads[axis] + window.pads[axis + axes] - reach;
    if (room < 0) return std::nullopt;
    const std::int64_t stride = window.strides[axis];
    size = (room + (window.rounds_up ? stride - 1 : 0)) / stride + 1;
    // A window that begins in the padding at the end doesn't count.
    if (window.rounds_up && (size - 1) * stride >= inputs[0].dims.d[axis + 2] + window.pads[axis]) --size;
  }
  return result;
}

// Calls visit(position in the channel of the input, position in the kernel) for each element under a window.
template <class Visit>
void under_window(const Window& window, const Dims& from, const Sizes& at, const Visit& visit) {
  const std::size_t axes = window.kernel.size();
  std::int64_t elements = 1;
  for (const std::int64_t size : window.kernel) elements *= size;
  for (std::int64_t element = 0; element < elements; ++element) {
    std::int64_t rest = element;
    std::int64_t position = 0;
    std::int64_t stride = 1;
    bool is_inside = true;
    for (std::size_t axis = axes; axis-- > 0;) {
      const std::int64_t offset = rest % window.kernel[axis];
      rest /= window.kernel[axis];
      const std::int64_t index = at[axis] * window.strides[axis] - window.pads[axis] + offset * window.dilations[axis];
      is_inside = is_inside && index >= 0 && index < from.d[axis + 2];
      position += index * stride;
      stride *= from.d[axis + 2];
    }
    if (is_inside) visit(static_cast<std::size_t>(position), static_cast<std::size_t>(element));
  }
}

// Calls visit(number of the window, its index along each axis) for each window of one channel.
template <class Visit>
void for_each_window_of_plane(const Dims& result, const Visit& visit) {
  const std::int64_t windows = product(result, 2, result.nbDims);
  for (std::int64_t window = 0; window < windows; ++window) {
    Sizes at(static_cast<std::size_t>(result.nbDims - 2));
    std::int64_t rest = window;
    for (std::size_t axis = at.size(); axis-- > 0;) {
      at[axis] = rest % result.d[axis + 2];
      rest /= result.d[axis + 2];
    }
    visit(window, at);
  }
}

std::optional<Dims> convolved(const GraphLayer& layer, const Operands& inputs) {
  return moved(layer, inputs, inputs.at(1).dims.d[0]);
}

// Returns what each window covers of these channels: a row for each channel and element of the kernel, and a column for
// each window. So a convolution is a product of matrices, which is many times faster than adding up window by window.
Numbers covered(const Window& window, const Operand& input, const Dims& result, std::int64_t first,
                std::int64_t channels) {
  const std::int64_t plane = product(input.dims, 2, input.dims.nbDims);
  const std::int64_t windows = product(result, 2, result.nbDims);
  std::int64_t kernel = 1;
  for (const std::int64_t size : window.kernel) kernel *= size;
  Numbers numbers(static_cast<std::size_t>(channels * kernel * windows), 0);
  for_each_window_of_plane(result, [&](std::int64_t index, const Sizes& at) {
    under_window(window, input.dims, at, [&](std::size_t position, std::size_t element) {
      for (std::int64_t c = 0; c < channels; ++c) {
        const auto row = static_cast<std::size_t>(c * kernel) + element;
        numbers[row * static_cast<std::size_t>(windows) + static_cast<std::size_t>(index)] =
            (*input.numbers)[static_cast<std::size_t>((first + c) * plane) + position];
      }
    });
  });
  return numbers;
}

Numbers convolve(const GraphLayer& layer, const Operands& inputs, const Dims& result) {
  const Window window = window_of(layer, inputs);
  const Dims& weights = inputs[1].dims;
  const std::int64_t groups = attribute(layer, "group", 1);
  const std::int64_t outputs = result.d[1] / groups;
  const std::int64_t rows = product(weights, 1, weights.nbDims);
  const std::int64_t windows = product(result, 2, result.nbDims);
  Numbers numbers(static_cast<std::size_t>(volume(result)), 0);
  for (std::int64_t i = 0; i < result.d[0] * groups; ++i) {  // batches and their groups
    const Numbers columns = covered(window, inputs[0], result, i * weights.d[1], weights.d[1]);
    for (std::int64_t output = 0; output < outputs; ++output) {
      const std::int64_t channel = i % groups * outputs + output;
      double* sums = numbers.data() + (i * outputs + output) * windows;
      if (inputs.size() > 2) std::fill_n(sums, windows, inputs[2].numbers->at(static_cast<std::size_t>(channel)));
      for (std::int64_t row = 0; row < rows; ++row) {
        const double weight = (*inputs[1].numbers)[static_cast<std::size_t>(channel * rows + row)];
        const double* column = columns.data() + row * windows;
        for (std::int64_t at = 0; at < windows; ++at) sums[at] += weight * column[at];
      }
    }
  }
  return numbers;
}

std::optional<Dims> pooled(const GraphLayer& layer, const Operands& inputs) {
  return moved(layer, inputs, inputs.at(0).dims.d[1]);
}

template <bool is_average>
Numbers pool(const GraphLayer& layer, const Operands& inputs, const Dims& result) {
  const Window window = window_of(layer, inputs);
  const Dims& from = inputs[0].dims;
  const std::int64_t plane = product(from, 2, from.nbDims);
  const bool counts_padding = attribute(layer, "count_include_pad", 0) != 0;
  double all = 1;
  for (const std::int64_t size : window.kernel) all *= static_cast<double>(size);
  Numbers numbers;
  for (std::int64_t channel = 0; channel < product(from, 0, 2); ++channel) {
    const double* x = inputs[0].numbers->data() + channel * plane;
    for_each_window_of_plane(result, [&](std::int64_t, const Sizes& at) {
      double largest = -std::numeric_limits<double>::infinity();
      double sum = 0;
      double count = 0;
      under_window(window, from, at, [&](std::size_t position, std::size_t) {
        largest = std::max(largest, x[position]);
        sum += x[position];
        ++count;
      });
      numbers.push_back(is_average ? sum / (counts_padding ? all : count) : largest);
    });
  }
  return numbers;
}

std::optional<Dims> pooled_to_one(const GraphLayer& /*layer*/, const Operands& inputs) {
  Dims result = inputs.at(0).dims;
  for (int axis = 2; axis < result.nbDims; ++axis) result.d[axis] = 1;
  return result;
}

Numbers pool_to_one(const GraphLayer& /*layer*/, const Operands& inputs, const Dims& /*result*/) {
  const Dims& from = inputs.at(0).dims;
  const std::int64_t plane = product(from, 2, from.nbDims);
  Numbers numbers(static_cast<std::size_t>(product(from, 0, 2)), 0);
  for (std::size_t i = 0; i < inputs[0].numbers->size(); ++i) {
    numbers[i / static_cast<std::size_t>(plane)] += (*inputs[0].numbers)[i] / static_cast<double>(plane);
  }
  return numbers;
}

}  // namespace

std::vector<Operator> window_operators() {
  return {{"Conv", LayerType::kCONVOLUTION, 2, 3, 0, convolved, convolve},
          {"MaxPool", LayerType::kPOOLING, 1, 1, 0, pooled, pool<false>},
          {"AveragePool", LayerType::kPOOLING, 1, 1, 0, pooled, pool<true>},
          {"GlobalAveragePool", LayerType::kREDUCE, 1, 1, 0, pooled_to_one, pool_to_one}};
}

}  // namespace fake_tensorrt
