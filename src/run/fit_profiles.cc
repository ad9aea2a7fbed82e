#include "run/fit_profiles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "base/log.h"
#include "data/fit_inputs.h"
#include "run/ask_network.h"
#include "run/tensorrt_settings.h"

namespace assay::run {
namespace {

bool is_open(const tensor::TensorSpec& input) {
  return std::ranges::any_of(input.shape, [](std::int64_t size) { return size < 0; });
}

}  // namespace

base::Status fit_profiles(std::vector<EngineSetup>& engines, std::span<const tensor::TensorSpec> model_inputs,
                          const LoadFirstInputs& load) {
  const auto builds = [](const EngineSetup& engine) { return is_tensorrt(engine.spec); };
  if (std::ranges::none_of(engines, builds) || std::ranges::none_of(model_inputs, is_open)) return {};
  ASSAY_ASSIGN(const auto inputs, load());
  base::SilentLog silent;  // the run says the same again
  const auto fitted = inputs ? data::fit_inputs(*inputs, model_inputs, silent) : tensor::NamedTensors();
  if (!fitted) return {};
  tensorrt::Words words;
  for (const tensor::TensorSpec& input : model_inputs) {
    const tensor::Tensor* value = fitted->find(input.name);
    if (value != nullptr && is_open(input)) {
      words.push_back(fmt::format("{}:[{}]", input.name, fmt::join(value->shape(), ",")));
    }
  }
  for (EngineSetup& engine : engines) {
    if (builds(engine) && !words.empty()) ASSAY_TRY(add_setting(engine, "input_shapes", words));  // later shapes win
  }
  return {};
}

}  // namespace assay::run
