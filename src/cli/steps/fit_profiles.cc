#include "cli/steps/fit_profiles.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/log.h"
#include "cli/steps/run_inputs.h"
#include "model/input_specs.h"
#include "run/ask_network.h"
#include "run/fit_profiles.h"

namespace assay::cli {
namespace {

using Specs = std::vector<tensor::TensorSpec>;

// Returns the inputs of the model; nothing if no runner makes profiles for them.
base::Expected<Specs> inputs_with_profiles(const std::vector<run::EngineSetup>& engines, const ModelOptions& model) {
  const auto builds = [](const run::EngineSetup& engine) { return run::is_tensorrt(engine.spec); };
  if (model.is_engine() || model.is_network_script() || std::ranges::none_of(engines, builds)) return Specs();
  ASSAY_ASSIGN(const model::Model loaded, model.load_as_it_is());
  return model::input_specs(loaded);
}

// The shapes of generated inputs are known. Generates them once more, because the run may ask for them differently.
base::Status fit_generated(std::vector<run::EngineSetup>& engines, const Specs& specs, const ModelOptions& model,
                           const DataLoaderOptions& loader, const Context& context) {
  Specs closed = specs;
  std::erase_if(closed, [](const tensor::TensorSpec& input) {
    return std::ranges::any_of(input.shape, [](std::int64_t size) { return size < 0; });
  });
  base::SilentLog silent;  // the source of the run's inputs says the same again
  return run::fit_profiles(engines, closed, [&]() -> base::Expected<std::optional<tensor::NamedTensors>> {
    ASSAY_ASSIGN(const auto shapes, shapes_of_inputs(model, loader));
    ASSAY_ASSIGN(const auto source, loader.source(shapes, context, silent));
    return source->iteration(0, specs).value_or(std::nullopt);
  });
}

}  // namespace

base::Status fit_profiles(std::vector<run::EngineSetup>& engines, const ModelOptions& model,
                          const DataLoaderOptions& loader, data::FirstInputs& inputs, Context& context) {
  const auto specs = inputs_with_profiles(engines, model);
  if (!specs) return {};
  if (!loader.custom()) return fit_generated(engines, *specs, model, loader, context);
  return run::fit_profiles(engines, *specs, [&] { return inputs.get(0, *specs); });
}

base::Status fit_profiles(std::vector<run::EngineSetup>& engines, const ModelOptions& model,
                          const DataLoaderOptions& loader, Context& context) {
  const auto specs = inputs_with_profiles(engines, model);
  if (!specs) return {};
  if (!loader.custom()) return fit_generated(engines, *specs, model, loader, context);
  base::SilentLog silent;  // the source of the run's inputs says the same again
  ASSAY_ASSIGN(const auto source, loader.source({}, context, silent));
  return run::fit_profiles(engines, *specs, [&] { return source->iteration(0, *specs); });
}

}  // namespace assay::cli
