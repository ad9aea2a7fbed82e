// Options for TensorRT's settings, for commands that can use them. All other commands refuse them (refused_options.h).
#pragma once

#include <CLI/App.hpp>

#include <map>
#include <span>
#include <string>
#include <vector>

#include "cli/context/installation.h"
#include "cli/options/model_options.h"
#include "cli/parse/values.h"
#include "run/engine_runner.h"
#include "tensorrt/given_settings.h"
#include "tensorrt/parse_values.h"

namespace assay::cli {

class TensorRtOptions {
 public:
  void add_to(CLI::App& app, std::span<const tensorrt::Setting> settings, const std::string& group);
  // Returns what was given on the command line.
  [[nodiscard]] const tensorrt::GivenSettings& given() const { return given_; }

 private:
  tensorrt::GivenSettings given_;
};

// Returns the shapes with 1 for dynamic dimensions.
tensorrt::Shapes without_dynamic_dimensions(const std::map<std::string, Dimensions>& input_shapes);

// Tells TensorRT's runners whether the model is an engine that was built before or a script, the shapes of inputs for
// profiles that don't mention them (without_dynamic_dimensions), and, if there are scripts, the Python that runs them.
// Every command that runs models in engines calls this first. Errors: those of ModelOptions::input_shapes(); not_found
// if the user names an interpreter that doesn't exist.
base::Status set_tensorrt_model(std::vector<run::EngineSetup>& engines, const ModelOptions& model,
                                const Installation& installation);

// Returns true if there are engines, and all of them are TensorRT's.
bool only_tensorrt(const std::vector<run::EngineSetup>& engines);

}  // namespace assay::cli
