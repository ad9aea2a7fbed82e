#include "cli/loaded_shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "data/fit_inputs.h"
#include "model/input_specs.h"
#include "run/ask_network.h"
#include "tensorrt/encode_settings.h"

namespace assay::cli {
namespace {

constexpr const char* kShapes = "input_shapes";

bool is_open(const tensor::TensorSpec& input) {
  return std::ranges::any_of(input.shape, [](std::int64_t size) { return size < 0; });
}

// Adds the shapes to those that the engine has. Later ones win.
base::Status add_shapes(run::EngineSetup& engine, const tensorrt::Words& words) {
  tensorrt::GivenSettings given;
  if (const auto before = engine.spec.options.find(kShapes); before != engine.spec.options.end()) {
    ASSAY_ASSIGN(given, tensorrt::decode_settings({{before->first, before->second}}));
  }
  given.add(kShapes, words);
  for (auto& [name, text] : tensorrt::encode_settings(given)) engine.spec.options[name] = text;
  return {};
}

}  // namespace

base::Status set_loaded_shapes(std::vector<run::EngineSetup>& engines, const ModelOptions& model,
                               const DataLoaderOptions& loader, Context& context) {
  const auto builds = [](const run::EngineSetup& engine) { return run::is_tensorrt(engine.spec); };
  if (!loader.custom() || model.is_engine() || model.is_network_script() || std::ranges::none_of(engines, builds)) {
    return {};
  }
  const auto loaded = model.load_as_it_is();
  if (!loaded) return {};
  const std::vector<tensor::TensorSpec> specs = model::input_specs(*loaded);
  if (std::ranges::none_of(specs, is_open)) return {};
  base::SilentLog silent;  // the source of the run's inputs says the same again
  ASSAY_ASSIGN(const auto source, loader.source({}, context.stop, silent));
  ASSAY_ASSIGN(const auto inputs, source->iteration(0, specs));
  const auto fitted = inputs ? data::fit_inputs(*inputs, specs, silent) : tensor::NamedTensors();
  if (!fitted) return {};
  tensorrt::Words words;
  for (const tensor::TensorSpec& input : specs) {
    const tensor::Tensor* value = fitted->find(input.name);
    if (value != nullptr && is_open(input)) {
      words.push_back(fmt::format("{}:[{}]", input.name, fmt::join(value->shape(), ",")));
    }
  }
  for (run::EngineSetup& engine : engines) {
    if (builds(engine) && !words.empty()) ASSAY_TRY(add_shapes(engine, words));
  }
  return {};
}

}  // namespace assay::cli
