#include "blame/measured_values.h"

#include <optional>
#include <utility>

#include "backend/engine_table.h"
#include "blame/value_ranges.h"
#include "model/input_specs.h"

namespace assay::blame {
namespace {

constexpr double kSeconds = 300;  // an engine may hang

std::optional<run::EngineSetup> measuring_engine(const backend::EngineSearch& engines) {
  auto found = backend::find_onnxruntime(engines);
  if (!found) return std::nullopt;
  const backend::EngineRow& row = *backend::find_engine_row(found->kind);
  return run::EngineSetup{.runner = std::string(row.runner),
                          .engine = std::string(row.name),
                          .spec = backend::make_engine_spec(row, std::move(found->library),
                                                            {{"graph_optimization_level", "ORT_DISABLE_ALL"}}),
                          .limits = {.time_s = kSeconds, .memory_bytes = {}}};
}

}  // namespace

std::map<std::string, double> measured_values(const model::Model& model, const run::EngineSetup& engine,
                                              const tensor::NamedTensors& inputs, worker::Pool& pool, base::Log& log) {
  base::SilentLog quiet;
  auto largest = largest_values(model, engine, inputs, pool, quiet);
  if (largest) return *std::move(largest);
  log.verbose("The values inside the model could not be measured: {}", largest.error().message());
  return {};
}

base::Expected<std::map<std::string, double>> measured_values(const model::Model& model,
                                                              const data::InputsByIteration& inputs,
                                                              const backend::EngineSearch& engines, worker::Pool& pool,
                                                              base::Log& log) {
  const auto engine = measuring_engine(engines);
  if (!engine) return std::map<std::string, double>();
  ASSAY_ASSIGN(const auto first, inputs(0, model::input_specs(model)));
  return first ? measured_values(model, *engine, *first, pool, log) : std::map<std::string, double>();
}

}  // namespace assay::blame
