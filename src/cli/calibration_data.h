// Inputs with which TensorRT's runners calibrate int8: those that `assay run` uses as inputs, in files for the worker.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "cli/command.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/model_options.h"
#include "cli/values.h"
#include "run/engine_runner.h"

namespace assay::cli {

// Saves inputs for each engine that has --int8 and no calibration cache yet, and tells it where they are. Inputs of
// open sizes that --input-shapes doesn't mention have the usual shapes of the last profile. Messages of the source of
// inputs go to `source_log`: a command that also runs the model logs them then. Returns the folder, which must exist
// until the engines are built, or nothing if no engine calibrates or the model isn't ONNX. Errors: those of loading the
// model and the inputs.
base::Expected<std::optional<base::TempDir>> save_calibration_data(std::vector<run::EngineSetup>& engines,
                                                                   const ModelOptions& model,
                                                                   const DataLoaderOptions& loader,
                                                                   const std::map<std::string, Dimensions>& shapes,
                                                                   base::Log& source_log, Context& context);

}  // namespace assay::cli
