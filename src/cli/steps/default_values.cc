#include "cli/steps/default_values.h"

#include <string>
#include <vector>

#include "model/input_specs.h"

namespace assay::cli {

void warn_of_default_values(const ModelOptions& model, const DataLoaderOptions& loader, data::FirstInputs& inputs,
                            base::Log& log) {
  if (!loader.custom() || model.is_engine() || model.is_network_script()) return;
  const auto loaded = model.load_as_it_is();
  if (!loaded) return;
  const std::vector<std::string> names = model::inputs_with_values(loaded->graph());
  if (names.empty()) return;
  const auto given = inputs.get(0, model::input_specs(*loaded));
  if (!given || !*given) return;
  for (const std::string& name : names) {
    if ((*given)->find(name) == nullptr) continue;
    log.warning(
        "The data of '{}' isn't used: the model has a value for this input. To replace it, remove the initializer",
        name);
  }
}

}  // namespace assay::cli
