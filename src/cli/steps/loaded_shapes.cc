#include "cli/steps/loaded_shapes.h"

#include <algorithm>

#include "base/log.h"
#include "model/input_specs.h"
#include "run/ask_network.h"
#include "run/fit_profiles.h"

namespace assay::cli {

base::Status set_loaded_shapes(std::vector<run::EngineSetup>& engines, const ModelOptions& model,
                               const DataLoaderOptions& loader, data::FirstInputs& inputs) {
  const auto builds = [](const run::EngineSetup& engine) { return run::is_tensorrt(engine.spec); };
  if (!loader.custom() || model.is_engine() || model.is_network_script() || std::ranges::none_of(engines, builds)) {
    return {};
  }
  const auto loaded = model.load_as_it_is();
  if (!loaded) return {};
  const std::vector<tensor::TensorSpec> specs = model::input_specs(*loaded);
  return run::fit_profiles(engines, specs, [&] { return inputs.get(0, specs); });
}

base::Status set_loaded_shapes(std::vector<run::EngineSetup>& engines, const ModelOptions& model,
                               const DataLoaderOptions& loader, Context& context) {
  if (!loader.custom()) return {};
  base::SilentLog silent;  // the source of the run's inputs says the same again
  ASSAY_ASSIGN(const auto source, loader.source({}, context, silent));
  data::FirstInputs inputs(*source);
  return set_loaded_shapes(engines, model, loader, inputs);
}

}  // namespace assay::cli
