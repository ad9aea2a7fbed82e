#include "run/fit_profiles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/log.h"
#include "data/fit_inputs.h"
#include "run/ask_network.h"
#include "run/tensorrt_settings.h"

namespace assay::run {
namespace {

using tensor::ElementType;

bool is_open(const tensor::TensorSpec& input) {
  return std::ranges::any_of(input.shape, [](std::int64_t size) { return size < 0; });
}

// Returns whether shapes may depend on the values of this input. Only TensorRT's network tells whether they do.
bool may_be_shape_tensor(const tensor::TensorSpec& input) {
  constexpr std::uint64_t kMostElements = 64;  // that TensorRT allows
  const auto count = tensor::element_count(input.shape);
  return (input.type == ElementType::int32 || input.type == ElementType::int64) && input.shape.size() < 2 && count &&
         *count <= kMostElements;
}

std::vector<std::int64_t> whole_numbers(const tensor::Tensor& tensor) {
  std::vector<std::int64_t> numbers;
  for (std::uint64_t i = 0; i < tensor.size(); ++i) {
    numbers.push_back(tensor.type() == ElementType::int32 ? tensor.load<std::int32_t>(i)
                                                          : tensor.load<std::int64_t>(i));
  }
  return numbers;
}

}  // namespace

base::Status fit_profiles(std::vector<EngineSetup>& engines, std::span<const tensor::TensorSpec> model_inputs,
                          const LoadFirstInputs& load) {
  const auto builds = [](const EngineSetup& engine) { return is_tensorrt(engine.spec); };
  const auto needs_profile = [](const tensor::TensorSpec& input) {
    return is_open(input) || may_be_shape_tensor(input);
  };
  if (std::ranges::none_of(engines, builds) || std::ranges::none_of(model_inputs, needs_profile)) return {};
  ASSAY_ASSIGN(const auto inputs, load());
  base::SilentLog silent;  // the run says the same again
  const auto fitted = inputs ? data::fit_inputs(*inputs, model_inputs, silent) : tensor::NamedTensors();
  if (!fitted) return {};
  tensorrt::Words shapes;
  tensorrt::Words values;
  for (const tensor::TensorSpec& input : model_inputs) {
    const tensor::Tensor* value = fitted->find(input.name);
    if (value == nullptr) continue;
    if (is_open(input)) shapes.push_back(fmt::format("{}:[{}]", input.name, fmt::join(value->shape(), ",")));
    if (may_be_shape_tensor(input)) {
      values.push_back(fmt::format("{}:[{}]", input.name, fmt::join(whole_numbers(*value), ",")));
    }
  }
  for (EngineSetup& engine : engines) {
    if (!builds(engine)) continue;
    if (!shapes.empty()) ASSAY_TRY(add_setting(engine, "input_shapes", shapes));  // later shapes win
    if (!values.empty()) set_setting(engine, "shape_values", values);
  }
  return {};
}

}  // namespace assay::run
