// The options that choose inputs, for engines that calibrate int8 with them: src/run/calibration_data.h does the work.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/temp_dir.h"
#include "cli/context/command.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/model_options.h"
#include "cli/parse/values.h"
#include "run/engine_runner.h"

namespace assay::cli {

// Saves inputs for each engine that calibrates, and tells it where they are. Inputs with dynamic dimensions that
// --input-shapes doesn't mention have the usual shapes of the last profile. Messages of the source of inputs go to
// `source_log`: a command that also runs the model logs them then. Returns the folder, which must exist until the
// engines are built, or nothing if no engine calibrates or the model isn't ONNX. Errors: those of loading the model and
// the inputs.
base::Expected<std::optional<base::TempDir>> save_calibration_data(std::vector<run::EngineSetup>& engines,
                                                                   const ModelOptions& model,
                                                                   const DataLoaderOptions& loader,
                                                                   const std::map<std::string, Dimensions>& shapes,
                                                                   base::Log& source_log, Context& context);

// The same for a command that only builds. Errors: invalid_input if inputs are given that can't be used, because no
// engine is built in int8 or a script makes the network.
base::Expected<std::optional<base::TempDir>> save_calibration_data(std::vector<run::EngineSetup>& engines,
                                                                   const ModelOptions& model,
                                                                   const DataLoaderOptions& loader, Context& context);

}  // namespace assay::cli
