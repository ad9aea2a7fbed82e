// Operators that make shapes, or move elements without changing them.
#include <algorithm>

#include "dims.h"
#include "operators/operators.h"

namespace fake_tensorrt {
namespace {

using nvinfer1::Dims;
using nvinfer1::LayerType;
using Numbers = std::vector<double>;
using Sizes = std::vector<std::int64_t>;

Numbers keep(const GraphLayer& /*layer*/, const Operands& inputs, const Dims& /*result*/) {
  return *inputs.at(0).numbers;
}

// Returns a shape of this rank with no known size.
Dims unknown(std::int64_t rank) {
  return make_dims(Sizes(static_cast<std::size_t>(std::max<std::int64_t>(rank, 0)), -1));
}

// Calls move(index in `dims`, position) for all elements.
template <class Move>
void for_each_index(const Dims& dims, const Move& move) {
  Sizes index(static_cast<std::size_t>(dims.nbDims), 0);
  for (std::int64_t position = 0; position < volume(dims); ++position) {
    move(index, position);
    for (int axis = dims.nbDims - 1; axis >= 0 && ++index[static_cast<std::size_t>(axis)] == dims.d[axis]; --axis) {
      index[static_cast<std::size_t>(axis)] = 0;
    }
  }
}

std::int64_t position_of(const Sizes& index, const Dims& dims) {
  std::int64_t position = 0;
  for (int axis = 0; axis < dims.nbDims; ++axis) {
    position = position * dims.d[axis] + index[static_cast<std::size_t>(axis)];
  }
  return position;
}

// The values of attributes that became inputs in later operator sets.
std::optional<Sizes> numbers_of(const GraphLayer& layer, const Operands& inputs, std::size_t input,
                                const std::string& name, const Sizes& otherwise) {
  return inputs.size() > input ? whole(inputs[input]) : std::optional(attributes(layer, name, otherwise));
}

std::optional<Dims> reshaped(const GraphLayer& layer, const Operands& inputs) {
  const auto wanted = numbers_of(layer, inputs, 1, "shape", {});
  if (!wanted) return unknown(inputs.at(1).dims.d[0]);
  Dims result = make_dims(*wanted);
  const Dims& from = inputs[0].dims;
  int rest = -1;
  for (int axis = 0; axis < result.nbDims; ++axis) {
    if (result.d[axis] == 0 && axis < from.nbDims && attribute(layer, "allowzero", 0) == 0)
      result.d[axis] = from.d[axis];
    if ((*wanted)[static_cast<std::size_t>(axis)] == -1) rest = axis;
  }
  if (!is_known(from)) return result;
  if (rest >= 0) {
    result.d[rest] = 1;
    const std::int64_t others = volume(result);
    result.d[rest] = others == 0 ? 0 : volume(from) / others;
  }
  return volume(result) == volume(from) ? std::optional(result) : std::nullopt;
}

std::optional<Dims> flattened(const GraphLayer& layer, const Operands& inputs) {
  const Dims& from = inputs.at(0).dims;
  if (!is_known(from)) return unknown(2);
  const int axis = from_front(attribute(layer, "axis", 1), from.nbDims);
  return make_dims({product(from, 0, axis), product(from, axis, from.nbDims)});
}

std::optional<Dims> unsqueezed(const GraphLayer& layer, const Operands& inputs) {
  const auto axes = numbers_of(layer, inputs, 1, "axes", {});
  if (!axes) return std::nullopt;
  const int rank = inputs[0].dims.nbDims + static_cast<int>(axes->size());
  Sizes sizes(static_cast<std::size_t>(rank), 0);
  for (const std::int64_t axis : *axes) sizes.at(static_cast<std::size_t>(from_front(axis, rank))) = 1;
  int from = 0;
  for (std::int64_t& size : sizes) size = size == 1 ? 1 : inputs[0].dims.d[from++];
  return make_dims(sizes);
}

std::optional<Dims> squeezed(const GraphLayer& layer, const Operands& inputs) {
  const Dims& from = inputs.at(0).dims;
  const auto axes = numbers_of(layer, inputs, 1, "axes", {});
  if (!axes) return std::nullopt;
  Sizes sizes;
  for (int axis = 0; axis < from.nbDims; ++axis) {
    const bool named = std::any_of(axes->begin(), axes->end(),
                                   [&](std::int64_t other) { return from_front(other, from.nbDims) == axis; });
    if (!(named || (axes->empty() && from.d[axis] == 1))) sizes.push_back(from.d[axis]);
  }
  return make_dims(sizes);
}

Sizes permutation(const GraphLayer& layer, int rank) {
  Sizes reversed;
  for (int axis = rank - 1; axis >= 0; --axis) reversed.push_back(axis);
  return attributes(layer, "perm", reversed);
}

std::optional<Dims> transposed(const GraphLayer& layer, const Operands& inputs) {
  Sizes sizes;
  for (const std::int64_t axis : permutation(layer, inputs.at(0).dims.nbDims)) sizes.push_back(inputs[0].dims.d[axis]);
  return make_dims(sizes);
}

Numbers transpose(const GraphLayer& layer, const Operands& inputs, const Dims& result) {
  const Sizes order = permutation(layer, result.nbDims);
  Numbers numbers(static_cast<std::size_t>(volume(result)));
  for_each_index(result, [&](const Sizes& index, std::int64_t position) {
    Sizes from(index.size());
    for (std::size_t i = 0; i < index.size(); ++i) from[static_cast<std::size_t>(order[i])] = index[i];
    numbers[static_cast<std::size_t>(position)] =
        inputs[0].numbers->at(static_cast<std::size_t>(position_of(from, inputs[0].dims)));
  });
  return numbers;
}

std::optional<Dims> concatenated(const GraphLayer& layer, const Operands& inputs) {
  Dims result = inputs.at(0).dims;
  const int axis = from_front(attribute(layer, "axis", 1), result.nbDims);
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    const bool known = result.d[axis] >= 0 && inputs[i].dims.d[axis] >= 0;
    result.d[axis] = known ? result.d[axis] + inputs[i].dims.d[axis] : -1;
  }
  return result;
}

Numbers concatenate(const GraphLayer& layer, const Operands& inputs, const Dims& result) {
  const int axis = from_front(attribute(layer, "axis", 1), result.nbDims);
  Numbers numbers;
  for (std::int64_t outer = 0; outer < product(result, 0, axis); ++outer) {
    for (const Operand& input : inputs) {
      const std::int64_t count = product(input.dims, axis, input.dims.nbDims);
      const auto begin = input.numbers->begin() + outer * count;
      numbers.insert(numbers.end(), begin, begin + count);
    }
  }
  return numbers;
}

// The part of each axis that Slice takes: first, step and count.
struct Part {
  std::int64_t first = 0;
  std::int64_t step = 1;
  std::int64_t count = -1;
};

std::optional<std::vector<Part>> parts_of(const GraphLayer& layer, const Operands& inputs) {
  const Dims& from = inputs.at(0).dims;
  std::vector<Part> parts(static_cast<std::size_t>(from.nbDims));
  for (int axis = 0; axis < from.nbDims; ++axis) parts[static_cast<std::size_t>(axis)].count = from.d[axis];
  const auto starts = numbers_of(layer, inputs, 1, "starts", {});
  const auto ends = numbers_of(layer, inputs, 2, "ends", {});
  if (!starts || !ends) return std::nullopt;
  Sizes all;
  for (std::size_t i = 0; i < starts->size(); ++i) all.push_back(static_cast<std::int64_t>(i));
  const auto axes = numbers_of(layer, inputs, 3, "axes", all);
  const auto steps = numbers_of(layer, inputs, 4, "steps", Sizes(starts->size(), 1));
  if (!axes || !steps) return std::nullopt;
  if (ends->size() != starts->size() || axes->size() != starts->size() || steps->size() != starts->size()) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < starts->size(); ++i) {
    const int axis = from_front((*axes)[i], from.nbDims);
    const std::int64_t size = from.d[axis];
    Part& part = parts.at(static_cast<std::size_t>(axis));
    part.step = (*steps)[i];
    part.count = -1;
    if (size < 0) continue;
    const bool forward = part.step > 0;
    const auto inside = [&](std::int64_t at) {
      at = at < 0 ? at + size : at;
      return std::clamp<std::int64_t>(at, forward ? 0 : -1, forward ? size : size - 1);
    };
    part.first = inside((*starts)[i]);
    const std::int64_t length = inside((*ends)[i]) - part.first;
    part.count = std::max<std::int64_t>(0, (length + part.step - (forward ? 1 : -1)) / part.step);
  }
  return parts;
}

std::optional<Dims> sliced(const GraphLayer& layer, const Operands& inputs) {
  const auto parts = parts_of(layer, inputs);
  if (!parts) return unknown(inputs.at(0).dims.nbDims);
  Sizes sizes;
  for (const Part& part : *parts) sizes.push_back(part.count);
  return make_dims(sizes);
}

Numbers slice(const GraphLayer& layer, const Operands& inputs, const Dims& result) {
  const auto parts = parts_of(layer, inputs).value();
  Numbers numbers;
  for_each_index(result, [&](Sizes index, std::int64_t) {
    for (std::size_t i = 0; i < index.size(); ++i) index[i] = parts[i].first + index[i] * parts[i].step;
    numbers.push_back(inputs[0].numbers->at(static_cast<std::size_t>(position_of(index, inputs[0].dims))));
  });
  return numbers;
}

std::optional<Dims> gathered(const GraphLayer& layer, const Operands& inputs) {
  const int axis = from_front(attribute(layer, "axis", 0), inputs.at(0).dims.nbDims);
  Sizes sizes = sizes_of(inputs[0].dims);
  const Sizes indices = sizes_of(inputs.at(1).dims);
  sizes.erase(sizes.begin() + axis);
  sizes.insert(sizes.begin() + axis, indices.begin(), indices.end());
  return make_dims(sizes);
}

Numbers gather(const GraphLayer& layer, const Operands& inputs, const Dims& /*result*/) {
  const Dims& from = inputs.at(0).dims;
  const int axis = from_front(attribute(layer, "axis", 0), from.nbDims);
  const std::int64_t inner = product(from, axis + 1, from.nbDims);
  Numbers numbers;
  for (std::int64_t outer = 0; outer < product(from, 0, axis); ++outer) {
    for (const double index : *inputs[1].numbers) {
      const std::int64_t at = from_front(static_cast<std::int64_t>(index), static_cast<int>(from.d[axis]));
      const auto begin = inputs[0].numbers->begin() + (outer * from.d[axis] + at) * inner;
      numbers.insert(numbers.end(), begin, begin + inner);
    }
  }
  return numbers;
}

std::optional<Dims> expanded(const GraphLayer& /*layer*/, const Operands& inputs) {
  const auto wanted = whole(inputs.at(1));
  if (wanted) return broadcast(inputs[0].dims, make_dims(*wanted));
  return unknown(std::max<std::int64_t>(inputs[0].dims.nbDims, inputs[1].dims.d[0]));
}

Numbers expand(const GraphLayer& /*layer*/, const Operands& inputs, const Dims& result) {
  Numbers numbers;
  for (std::int64_t i = 0; i < volume(result); ++i) {
    numbers.push_back(inputs[0].numbers->at(static_cast<std::size_t>(position_in(inputs[0].dims, result, i))));
  }
  return numbers;
}

// Since operator set 15, Shape can return a part of the sizes.
Numbers shape(const GraphLayer& layer, const Operands& inputs, const Dims& /*result*/) {
  const int rank = inputs.at(0).dims.nbDims;
  const int first = std::clamp(from_front(attribute(layer, "start", 0), rank), 0, rank);
  const int end = std::clamp(from_front(attribute(layer, "end", rank), rank), first, rank);
  const Sizes sizes = sizes_of(inputs[0].dims);
  return {sizes.begin() + first, sizes.begin() + end};
}
std::optional<Dims> shape_of_shape(const GraphLayer& layer, const Operands& inputs) {
  return make_dims({static_cast<std::int64_t>(shape(layer, inputs, {}).size())});
}

std::optional<Dims> filled(const GraphLayer& /*layer*/, const Operands& inputs) {
  const auto wanted = whole(inputs.at(0));
  return wanted ? make_dims(*wanted) : unknown(inputs[0].dims.d[0]);
}
Numbers fill(const GraphLayer& layer, const Operands& /*inputs*/, const Dims& result) {
  return Numbers(static_cast<std::size_t>(volume(result)), real_attribute(layer, "value", 0));
}

// Inputs: start, limit, delta.
std::optional<Dims> counted(const GraphLayer& /*layer*/, const Operands& inputs) {
  const auto start = whole(inputs.at(0));
  const auto limit = whole(inputs.at(1));
  const auto delta = whole(inputs.at(2));
  if (!start || !limit || !delta || delta->at(0) == 0) return unknown(1);
  const std::int64_t step = delta->at(0);
  const std::int64_t length = limit->at(0) - start->at(0) + step - (step > 0 ? 1 : -1);
  return make_dims({std::max<std::int64_t>(0, length / step)});
}
Numbers count(const GraphLayer& /*layer*/, const Operands& inputs, const Dims& result) {
  Numbers numbers;
  for (std::int64_t i = 0; i < result.d[0]; ++i) {
    numbers.push_back(inputs[0].numbers->at(0) + static_cast<double>(i) * inputs[2].numbers->at(0));
  }
  return numbers;
}

}  // namespace

std::vector<Operator> shape_operators() {
  constexpr std::size_t kMany = 1000;
  return {{"Reshape", LayerType::kSHUFFLE, 1, 2, 0b10, reshaped, keep},
          {"Flatten", LayerType::kSHUFFLE, 1, 1, 0, flattened, keep},
          {"Unsqueeze", LayerType::kSHUFFLE, 1, 2, 0b10, unsqueezed, keep},
          {"Squeeze", LayerType::kSHUFFLE, 1, 2, 0b10, squeezed, keep},
          {"Transpose", LayerType::kSHUFFLE, 1, 1, 0, transposed, transpose},
          {"Concat", LayerType::kCONCATENATION, 1, kMany, 0, concatenated, concatenate},
          {"Slice", LayerType::kSLICE, 1, 5, 0b11110, sliced, slice},
          {"Gather", LayerType::kGATHER, 2, 2, 0, gathered, gather},
          {"Expand", LayerType::kSLICE, 2, 2, 0b10, expanded, expand},
          {"Shape", LayerType::kSHAPE, 1, 1, 0, shape_of_shape, shape},
          {"ConstantOfShape", LayerType::kFILL, 1, 1, 0b1, filled, fill},
          {"Range", LayerType::kFILL, 3, 3, 0b111, counted, count}};
}

}  // namespace fake_tensorrt
