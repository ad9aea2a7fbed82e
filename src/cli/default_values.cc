#include "cli/default_values.h"

#include "model/initializers.h"
#include "model/input_specs.h"

namespace assay::cli {

void warn_of_default_values(const ModelOptions& model, const DataLoaderOptions& loader, data::FirstInputs& inputs,
                            base::Log& log) {
  if (!loader.custom() || model.is_engine() || model.is_network_script()) return;
  const auto loaded = model.load_as_it_is();
  if (!loaded) return;
  const auto constants = model::initializer_names(loaded->graph());
  const auto given = inputs.get(0, model::input_specs(*loaded));
  if (!given || !*given) return;
  for (const onnx::ValueInfoProto& input : loaded->graph().input()) {
    if (!constants.contains(input.name()) || (*given)->find(input.name()) == nullptr) continue;
    log.warning(
        "The data of '{}' isn't used: the model has a value for this input. To replace it, remove the initializer",
        input.name());
  }
}

}  // namespace assay::cli
