#include "operators/operators.h"

#include <algorithm>
#include <initializer_list>

#include "dims.h"

namespace fake_tensorrt {
namespace {

// Models say "to the end" with the largest number of 64 bits, which no double has.
std::int64_t to_whole(double number) {
  constexpr double kLimit = 0x1p62;
  return static_cast<std::int64_t>(std::clamp(number, -kLimit, kLimit));
}

}  // namespace

const Operator* find_operator(std::string_view name) {
  static const std::vector<Operator> all = [] {
    std::vector<Operator> rows;
    for (const auto& more :
         {elementwise_operators(), shape_operators(), window_operators(), sum_operators(), cache_operators()}) {
      rows.insert(rows.end(), more.begin(), more.end());
    }
    return rows;
  }();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Operator& row) { return row.name == name; });
  return found == all.end() ? nullptr : &*found;
}

nvinfer1::DataType result_type(const GraphLayer& layer, nvinfer1::DataType first_input) {
  if (layer.op == "Shape") return nvinfer1::DataType::kINT64;
  const bool has_own = layer.op == "Cast" || layer.op == "ConstantOfShape";
  return has_own ? static_cast<nvinfer1::DataType>(attribute(layer, "type", 0)) : first_input;
}

std::vector<std::int64_t> attributes(const GraphLayer& layer, const std::string& name,
                                     std::vector<std::int64_t> otherwise) {
  const auto found = layer.attributes.find(name);
  if (found == layer.attributes.end()) return otherwise;
  std::vector<std::int64_t> numbers;
  for (const double number : found->second) numbers.push_back(to_whole(number));
  return numbers;
}

std::int64_t attribute(const GraphLayer& layer, const std::string& name, std::int64_t otherwise) {
  return attributes(layer, name, {otherwise}).at(0);
}

double real_attribute(const GraphLayer& layer, const std::string& name, double otherwise) {
  const auto found = layer.attributes.find(name);
  return found == layer.attributes.end() ? otherwise : found->second.at(0);
}

std::optional<std::vector<std::int64_t>> whole(const Operand& operand) {
  if (operand.numbers == nullptr) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const double number : *operand.numbers) numbers.push_back(to_whole(number));
  return numbers;
}

std::int64_t product(const nvinfer1::Dims& dims, int from, int to) {
  std::int64_t product = 1;
  for (int axis = from; axis < to; ++axis) product *= dims.d[axis];
  return product;
}

std::optional<nvinfer1::Dims> same_shape(const GraphLayer& /*layer*/, const Operands& inputs) {
  return inputs.at(0).dims;
}

}  // namespace fake_tensorrt
