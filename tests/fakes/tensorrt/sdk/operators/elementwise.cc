// Operators on single elements, with broadcasting.
#include <algorithm>
#include <cmath>

#include "dims.h"
#include "operators/operators.h"

namespace fake_tensorrt {
namespace {

using nvinfer1::Dims;
using nvinfer1::LayerType;
using Numbers = std::vector<double>;

std::optional<Dims> broadcast_all(const GraphLayer& /*layer*/, const Operands& inputs) {
  std::optional<Dims> result = inputs.at(0).dims;
  for (std::size_t i = 1; i < inputs.size() && result; ++i) result = broadcast(*result, inputs[i].dims);
  return result;
}

template <double (*function)(double, double)>
Numbers fold(const GraphLayer& /*layer*/, const Operands& inputs, const Dims& result) {
  Numbers numbers(static_cast<std::size_t>(volume(result)));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto at = [&](const Operand& operand) {
      return operand.numbers->at(
          static_cast<std::size_t>(position_in(operand.dims, result, static_cast<std::int64_t>(i))));
    };
    numbers[i] = at(inputs[0]);
    for (std::size_t k = 1; k < inputs.size(); ++k) numbers[i] = function(numbers[i], at(inputs[k]));
  }
  return numbers;
}

template <double (*function)(double)>
Numbers each(const GraphLayer& /*layer*/, const Operands& inputs, const Dims& /*result*/) {
  Numbers numbers = *inputs.at(0).numbers;
  std::transform(numbers.begin(), numbers.end(), numbers.begin(), function);
  return numbers;
}

double sum(double a, double b) {
  return a + b;
}
double difference(double a, double b) {
  return a - b;
}
double times(double a, double b) {
  return a * b;
}
double quotient(double a, double b) {
  return a / b;
}
double power(double a, double b) {
  return std::pow(a, b);
}
double larger(double a, double b) {
  return std::max(a, b);
}
double smaller(double a, double b) {
  return std::min(a, b);
}

double same(double x) {
  return x;
}
double relu(double x) {
  return x < 0 ? 0 : x;
}  // NaN stays NaN
double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
double hyperbolic(double x) {
  return std::tanh(x);
}
double exponential(double x) {
  return std::exp(x);
}
double logarithm(double x) {
  return std::log(x);
}
double root(double x) {
  return std::sqrt(x);
}
double negative(double x) {
  return -x;
}
double reciprocal(double x) {
  return 1 / x;
}
double error_function(double x) {
  return std::erf(x);
}

// The limits are attributes before operator set 11, and inputs since.
Numbers clip(const GraphLayer& layer, const Operands& inputs, const Dims& /*result*/) {
  const double least = inputs.size() > 1 ? inputs[1].numbers->at(0) : real_attribute(layer, "min", -HUGE_VAL);
  const double most = inputs.size() > 2 ? inputs[2].numbers->at(0) : real_attribute(layer, "max", HUGE_VAL);
  Numbers numbers = *inputs.at(0).numbers;
  for (double& number : numbers) number = std::min(std::max(number, least), most);
  return numbers;
}

// Inputs: X, scale, B, mean, var; all but X have one number for each channel.
Numbers normalize(const GraphLayer& layer, const Operands& inputs, const Dims& result) {
  const double epsilon = real_attribute(layer, "epsilon", 1e-5);
  const std::int64_t inner = product(result, 2, result.nbDims);
  Numbers numbers = *inputs.at(0).numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto channel = static_cast<std::size_t>(static_cast<std::int64_t>(i) / inner % result.d[1]);
    const auto of_channel = [&](std::size_t input) { return inputs[input].numbers->at(channel); };
    numbers[i] = (numbers[i] - of_channel(3)) / std::sqrt(of_channel(4) + epsilon) * of_channel(1) + of_channel(2);
  }
  return numbers;
}

}  // namespace

std::vector<Operator> elementwise_operators() {
  const auto binary = [](std::string_view name, auto function, std::size_t most = 2) {
    return Operator{name, LayerType::kELEMENTWISE, most > 2 ? 1U : 2U, most, 0, broadcast_all, function};
  };
  const auto unary = [](std::string_view name, LayerType layer, auto function) {
    return Operator{name, layer, 1, 1, 0, same_shape, function};
  };
  constexpr std::size_t kMany = 1000;
  return {binary("Add", fold<sum>),
          binary("Sub", fold<difference>),
          binary("Mul", fold<times>),
          binary("Div", fold<quotient>),
          binary("Pow", fold<power>),
          binary("Sum", fold<sum>, kMany),
          binary("Max", fold<larger>, kMany),
          binary("Min", fold<smaller>, kMany),
          unary("Relu", LayerType::kACTIVATION, each<relu>),
          unary("Sigmoid", LayerType::kACTIVATION, each<sigmoid>),
          unary("Tanh", LayerType::kACTIVATION, each<hyperbolic>),
          unary("Exp", LayerType::kUNARY, each<exponential>),
          unary("Log", LayerType::kUNARY, each<logarithm>),
          unary("Sqrt", LayerType::kUNARY, each<root>),
          unary("Neg", LayerType::kUNARY, each<negative>),
          unary("Reciprocal", LayerType::kUNARY, each<reciprocal>),
          unary("Erf", LayerType::kUNARY, each<error_function>),
          unary("Cast", LayerType::kCAST, each<same>),
          unary("FakePlugin", LayerType::kPLUGIN_V3, each<same>),
          unary("Dropout", LayerType::kIDENTITY, each<same>),
          {"Clip", LayerType::kACTIVATION, 1, 3, 0, same_shape, clip},
          {"BatchNormalization", LayerType::kSCALE, 5, 5, 0, same_shape, normalize}};
}

}  // namespace fake_tensorrt
