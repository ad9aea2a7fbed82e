#include "cli/commands/debug/measured_values.h"

#include <optional>
#include <utility>

#include "backend/engine_table.h"
#include "backend/find_engines.h"
#include "blame/value_ranges.h"
#include "cli/options/engine_options.h"
#include "cli/steps/run_inputs.h"
#include "model/input_specs.h"

namespace assay::cli {
namespace {

constexpr double kSeconds = 300;  // an engine may hang

std::optional<run::EngineSetup> measuring_engine(const Installation& installation) {
  const auto found = backend::find_onnxruntime(installation.engines);
  if (!found) return std::nullopt;
  run::EngineSetup engine = engine_setup(*backend::find_engine_row(found->kind), found->library);
  engine.spec.options["graph_optimization_level"] = "ORT_DISABLE_ALL";
  engine.limits.time_s = kSeconds;
  return engine;
}

}  // namespace

std::map<std::string, double> measured_values(const model::Model& model, const run::EngineSetup& engine,
                                              const tensor::NamedTensors& inputs, Context& context) {
  base::SilentLog quiet;
  auto largest = blame::largest_values(model, engine, inputs, context.pool, quiet);
  if (largest) return *std::move(largest);
  context.log.verbose("The values inside the model could not be measured: {}", largest.error().message());
  return {};
}

base::Expected<std::map<std::string, double>> measured_values(const model::Model& model, const ModelOptions& options,
                                                              const DataLoaderOptions& loader, Context& context) {
  const auto engine = measuring_engine(context.installation);
  if (!engine) return std::map<std::string, double>();
  ASSAY_ASSIGN(const auto source, open_inputs(options, loader, context));
  ASSAY_ASSIGN(const auto inputs, source->iteration(0, model::input_specs(model)));
  return inputs ? measured_values(model, *engine, *inputs, context) : std::map<std::string, double>();
}

}  // namespace assay::cli
