// Parses the options of TensorRT's worker.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backend/serve/serve.h"
#include "tensorrt/config_plan.h"
#include "tensorrt/engine_plan.h"
#include "tensorrt/network_plan.h"

namespace assay::backend {

struct TensorRtOptions {
  int device = 0;                // number of the GPU
  bool model_is_engine = false;  // the model is an engine that was built before, not ONNX
  bool only_builds = false;      // the engine is built and saved, but not opened, so it can't run
  bool has_scripts = false;      // functions of the user's take part in building, so Python builds the engine
  std::string python;            // the interpreter for them
  // File for what the engine inspector says, as JSON; empty: none. The engine is then only shown, so it can't run. It
  // needs no memory for its activations, which this GPU may not have.
  std::string save_layers;
  // File for what the parser says of the model, as tensorrt::capability_json(); no engine is built then. Empty: none.
  std::string save_capability;
  // File for the network that the parser makes, as tensorrt::network_json(); no engine is built then. Empty: none.
  std::string save_network;
  std::string save_weights;      // file for the values of that network's weights; empty: none
  std::string calibration_data;  // folder of inputs to calibrate int8 with: "0.npz" and so on; empty: none
  tensorrt::NetworkPlan network;
  tensorrt::ConfigPlan config;
  tensorrt::EnginePlan engine;
};

// Options:
//  - device: the number of a GPU; 0 by default.
//  - model_type: onnx (default), engine, or script for a Python file that makes the network.
//  - function: the function of that file; load_network by default.
//  - python: the interpreter that runs scripts.
//  - input_shapes: shapes that profiles have for inputs which they don't mention, as a setting. Those of inputs that
//    the model doesn't have are ignored.
//  - shape_values: values of inputs, as a setting, for those that turn out to be shape tensors and that profiles don't
//    mention. They replace the input_shapes of these inputs.
//  - outputs: the outputs of the network that stay, by their exact names, as a setting; by default all.
//  - save_built: a file for the engine, as --save-engine.
//  - build_only: on if the engine is built and saved, but not opened. It may need more memory than this GPU has.
//  - calibration_data: a folder of inputs, with which int8 is calibrated unless there is a cache.
//  - save_layers: a file for the engine inspector's JSON, if the engine is to be shown, not run.
//  - save_capability: a file for what the parser says of the model, which is then not built.
//  - save_network: a file for the network that the parser makes, of which no engine is then built.
//  - save_weights: a file for the values of that network's weights.
//  - names of TensorRT's settings, "--fp16", as tensorrt::encode_settings() writes them.
// `major`: the version of TensorRT, 10 or 11. Returns a Refused for any other option, for invalid values, for settings
// that this TensorRT doesn't have, and for those that have no effect on such a model.
Answer<TensorRtOptions> parse_tensorrt_options(const std::map<std::string, std::string>& options, int major);

// Returns the plan of the configuration with the file that --save-timing-cache extends, if there is one and no other
// cache is loaded, and without a file that doesn't exist.
tensorrt::ConfigPlan with_existing_cache(const TensorRtOptions& options);

// Returns the warning that the timing cache wasn't saved to this file, with which it can't be combined.
std::string describe_unsaved_cache(const std::string& file);

// Returns warnings of settings without effect on a model that is built: a file of --load-timing-cache that neither
// exists nor will be saved, and precisions of layers that nothing makes TensorRT keep.
std::vector<std::string> warnings_about(const TensorRtOptions& options);

}  // namespace assay::backend
