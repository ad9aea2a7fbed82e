#include "cli/calibration_data.h"

#include <array>
#include <filesystem>

#include "data/save_batches.h"
#include "model/input_specs.h"
#include "tensorrt/config_plan.h"
#include "tensorrt/encode_settings.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;
using tensor::ElementType;

// Returns TensorRT's settings of an engine, or nothing if it doesn't calibrate. Errors in settings are the worker's to
// report.
std::optional<tensorrt::GivenSettings> calibrating_settings(const run::EngineSetup& engine) {
  std::map<std::string, std::string> entries;
  for (const auto& [name, value] : engine.spec.options) {
    if (name.starts_with("--")) entries[name] = value;
  }
  auto given = tensorrt::decode_settings(entries);
  if (!given || !given->has("--int8")) return std::nullopt;
  std::error_code code;
  const std::string cache = given->word("--calibration-cache");
  if (!cache.empty() && fs::exists(cache, code) && fs::file_size(cache, code) > 0) return std::nullopt;
  return *std::move(given);
}

// Returns the shapes with those of the last profile, whose inputs TensorRT calibrates with in Polygraphy, too.
std::map<std::string, Dimensions> with_profile(std::map<std::string, Dimensions> shapes,
                                               const tensorrt::GivenSettings& given) {
  const auto plan = tensorrt::plan_config(given, {});
  if (!plan || plan->profiles.empty()) return shapes;
  for (const auto& [name, range] : plan->profiles.back().inputs) {
    if (shapes.contains(name)) continue;
    for (const std::int64_t size : range.opt) shapes[name].push_back({size, {}});
  }
  return shapes;
}

// TensorRT calibrates with these types only.
std::vector<tensor::TensorSpec> calibration_ports(const model::Model& model) {
  constexpr std::array kTypes = {ElementType::float32, ElementType::int32, ElementType::int64, ElementType::boolean};
  std::vector<tensor::TensorSpec> ports = model::input_specs(model);
  for (tensor::TensorSpec& port : ports) {
    if (std::ranges::find(kTypes, port.type) == kTypes.end()) port.type = ElementType::float32;
  }
  return ports;
}

}  // namespace

base::Expected<std::optional<base::TempDir>> save_calibration_data(std::vector<run::EngineSetup>& engines,
                                                                   const ModelOptions& model,
                                                                   const DataLoaderOptions& loader,
                                                                   const std::map<std::string, Dimensions>& shapes,
                                                                   base::Log& source_log, Context& context) {
  std::optional<base::TempDir> folder;
  if (model.is_engine() || model.is_network_script()) return folder;
  std::vector<tensor::TensorSpec> ports;
  for (run::EngineSetup& engine : engines) {
    const auto given = calibrating_settings(engine);
    if (!given) continue;
    if (!folder) {
      ASSAY_ASSIGN(const model::Model loaded, model.load_as_it_is());
      ports = calibration_ports(loaded);
      ASSAY_ASSIGN(folder, base::TempDir::create());
      if (!loader.custom()) {
        context.log.warning(
            "int8 is calibrated with generated inputs, so results may be inexact. Give real inputs, with --load-inputs "
            "or --data-loader-script, or a --calibration-cache");
      }
    }
    const fs::path batches = folder->path() / std::to_string(&engine - engines.data());
    std::error_code code;
    if (!fs::create_directory(batches, code)) {
      return base::fail(base::system_error("cannot create a folder", batches.string(), code.value()));
    }
    ASSAY_ASSIGN(const auto source,
                 loader.source(loader.custom() ? std::map<std::string, Dimensions>() : with_profile(shapes, *given),
                               context.stop, source_log));
    ASSAY_TRY(data::save_batches(*source, ports, batches, source_log));
    engine.spec.options["calibration_data"] = batches.string();
  }
  return folder;
}

}  // namespace assay::cli
