#include "run/calibration_data.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <system_error>

#include "data/save_batches.h"
#include "model/input_specs.h"
#include "tensorrt/config_plan.h"
#include "tensorrt/encode_settings.h"

namespace assay::run {
namespace {

namespace fs = std::filesystem;
using tensor::ElementType;

// Returns TensorRT's settings of an engine in int8, or nothing.
std::optional<tensorrt::GivenSettings> int8_settings(const EngineSetup& engine) {
  std::map<std::string, std::string> entries;
  for (const auto& [name, value] : engine.spec.options) {
    if (name.starts_with("--")) entries[name] = value;
  }
  auto given = tensorrt::decode_settings(entries);
  if (!given || !given->allows_int8()) return std::nullopt;
  return *std::move(given);
}

bool has_cache(const tensorrt::GivenSettings& given) {
  std::error_code code;
  const std::string cache = given.word("--calibration-cache");
  return !cache.empty() && fs::exists(cache, code) && fs::file_size(cache, code) > 0;
}

// Returns the usual shapes of the last profile. Polygraphy calibrates with these, too.
std::map<std::string, tensor::Shape> profile_shapes(const tensorrt::GivenSettings& given) {
  std::map<std::string, tensor::Shape> shapes;
  const auto plan = tensorrt::plan_config(given, {});
  if (!plan || plan->profiles.empty()) return shapes;
  for (const auto& [name, range] : plan->profiles.back().inputs) shapes[name] = {range.opt.begin(), range.opt.end()};
  return shapes;
}

// TensorRT calibrates with a few types only. Inputs of other types are calibrated in float32.
std::vector<tensor::TensorSpec> calibration_ports(const model::Model& model) {
  constexpr std::array kTypes = {ElementType::float32, ElementType::int32, ElementType::int64, ElementType::boolean};
  std::vector<tensor::TensorSpec> ports = model::input_specs(model);
  for (tensor::TensorSpec& port : ports) {
    if (std::ranges::find(kTypes, port.type) == kTypes.end()) port.type = ElementType::float32;
  }
  return ports;
}

}  // namespace

bool builds_int8(const EngineSetup& engine) {
  return int8_settings(engine).has_value();
}

bool calibrates(const EngineSetup& engine) {
  const auto given = int8_settings(engine);
  return given && !has_cache(*given);
}

base::Expected<base::TempDir> save_calibration_data(std::vector<EngineSetup>& engines, const model::Model& model,
                                                    const MakeInputs& make_inputs, base::Log& log) {
  ASSAY_ASSIGN(base::TempDir folder, base::TempDir::create());
  const std::vector<tensor::TensorSpec> ports = calibration_ports(model);
  for (EngineSetup& engine : engines) {
    const auto given = int8_settings(engine);
    if (!given || has_cache(*given)) continue;
    const fs::path batches = folder.path() / std::to_string(&engine - engines.data());
    std::error_code code;
    if (!fs::create_directory(batches, code)) {
      return base::fail(base::system_error("cannot create a folder", batches.string(), code.value()));
    }
    ASSAY_ASSIGN(const auto source, make_inputs(profile_shapes(*given)));
    ASSAY_TRY(data::save_batches(*source, ports, batches, log));
    engine.spec.options["calibration_data"] = batches.string();
  }
  return folder;
}

}  // namespace assay::run
