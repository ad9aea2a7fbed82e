#include "cli/steps/calibration_data.h"

#include <algorithm>

#include "cli/options/tensorrt_options.h"
#include "cli/steps/fit_profiles.h"
#include "run/calibration_data.h"

namespace assay::cli {
namespace {

// Returns the user's shapes, and those of a profile for other inputs.
std::map<std::string, Dimensions> with_profile(std::map<std::string, Dimensions> shapes,
                                               const std::map<std::string, tensor::Shape>& profile) {
  for (const auto& [name, sizes] : profile) {
    if (shapes.contains(name)) continue;
    for (const std::int64_t size : sizes) shapes[name].push_back({size, {}});
  }
  return shapes;
}

// Errors: invalid_input if options for inputs are given that no engine uses.
base::Status check_used(const std::vector<run::EngineSetup>& engines, const ModelOptions& model,
                        const DataLoaderOptions& loader) {
  ASSAY_ASSIGN(const auto shapes, model.input_shapes());
  const bool has_profiles = only_tensorrt(engines);  // which --input-shapes is for, too
  const std::string option = !shapes.empty() && !has_profiles ? "--input-shapes" : loader.first_given();
  if (option.empty()) return {};
  if (model.is_network_script()) {
    return base::fail(base::ErrorKind::invalid_input, "with scripts, int8 is calibrated from a cache only", option,
                      "Leave it out, and give the cache with --calibration-cache");
  }
  if (std::ranges::any_of(engines, run::builds_int8)) return {};
  return base::fail(base::ErrorKind::invalid_input,
                    "this chooses inputs, which only calibrate TensorRT engines, and none is calibrated", option,
                    "Add --trt and --int8, or leave it out");
}

}  // namespace

base::Expected<std::optional<base::TempDir>> save_calibration_data(std::vector<run::EngineSetup>& engines,
                                                                   const ModelOptions& model,
                                                                   const DataLoaderOptions& loader,
                                                                   const std::map<std::string, Dimensions>& shapes,
                                                                   base::Log& source_log, Context& context) {
  std::optional<base::TempDir> folder;
  if (model.is_engine() || model.is_network_script() || std::ranges::none_of(engines, run::calibrates)) return folder;
  ASSAY_ASSIGN(const model::Model loaded, model.load_as_it_is());
  if (!loader.custom()) {
    context.log.warning(
        "int8 is calibrated with generated inputs, so results may be inexact. Give real inputs, with --load-inputs or "
        "--data-loader-script, or a --calibration-cache");
  }
  const run::MakeInputs make_inputs = [&](const std::map<std::string, tensor::Shape>& profile) {
    return loader.source(loader.custom() ? std::map<std::string, Dimensions>() : with_profile(shapes, profile), context,
                         source_log);
  };
  ASSAY_ASSIGN(folder, run::save_calibration_data(engines, loaded, make_inputs, source_log));
  return folder;
}

base::Expected<std::optional<base::TempDir>> save_calibration_data(std::vector<run::EngineSetup>& engines,
                                                                   const ModelOptions& model,
                                                                   const DataLoaderOptions& loader, Context& context) {
  ASSAY_TRY(check_used(engines, model, loader));
  const bool calibrates = std::ranges::any_of(engines, run::calibrates);
  if (const std::string option = loader.first_given(); !option.empty() && !calibrates) {
    context.log.info("The calibration cache exists, so the inputs of {} aren't used", option);
    return std::optional<base::TempDir>();
  }
  if (calibrates) ASSAY_TRY(fit_profiles(engines, model, loader, context));
  ASSAY_ASSIGN(const auto shapes, model.input_shapes());
  return save_calibration_data(engines, model, loader, shapes, context.log, context);
}

}  // namespace assay::cli
