#include "run/output_forecast.h"

#include <algorithm>

#include "model/initializers.h"

namespace assay::run {

OutputForecast::OutputForecast(const model::Model& model, const std::vector<tensor::TensorSpec>& inputs,
                               const std::vector<std::string>& tensors, const std::vector<TensorSize>& sizes) {
  const auto is_open = [](const tensor::TensorSpec& input) {
    return std::ranges::any_of(input.shape, [](std::int64_t size) { return size < 0; });
  };
  if (std::ranges::any_of(inputs, is_open)) return;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (sizes[i].type != tensor::ElementType::string) bytes_.emplace(tensors[i], sizes[i].bytes.value_or(0));
  }
  weights_ = model::initializer_bytes(model.graph());
}

std::uint64_t OutputForecast::bytes(const std::vector<std::string>& tensors) const {
  std::uint64_t sum = 0;
  for (const std::string& name : tensors) {
    const auto at = bytes_.find(name);
    if (at != bytes_.end() && __builtin_add_overflow(sum, at->second, &sum)) return 0;
  }
  return sum > weights_ ? sum : 0;
}

}  // namespace assay::run
