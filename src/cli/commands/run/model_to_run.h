// The model that the engines of `assay run` get, with the outputs that the user asks for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/commands/run/run_options.h"
#include "cli/context/command.h"
#include "cli/options/model_options.h"
#include "model/model.h"
#include "run/engine_runner.h"
#include "run/layer_engines.h"
#include "worker/engine.h"

namespace assay::cli {

struct ModelToRun {
  worker::ModelSource source{};             // empty if the model runs in windows and no engine needs all of it
  std::optional<model::Model> model{};      // if the options change it, or it runs in windows
  std::vector<std::string> outputs{};       // to be marked in it
  std::vector<run::LayerEngine> engines{};  // that run it in windows; empty without windows
  [[nodiscard]] bool in_windows() const { return !engines.empty(); }
};

// Loads the model if the options change it, marks outputs and, with --save-onnx, saves it. Errors: those of these
// steps.
base::Expected<ModelToRun> model_to_run(const RunOptions& options, const std::vector<run::EngineSetup>& setups,
                                        base::Log& log);

// Decides whether the model runs in windows: if several tensors are marked, in the model or by settings of TensorRT.
base::Status plan_windows(ModelToRun& subject, const ModelOptions& model, const std::vector<run::EngineSetup>& setups,
                          Context& context);

}  // namespace assay::cli
