// Builds an engine in the user's Python interpreter, with functions of the user's that change the network or the
// configuration, or make them. The worker then opens the engine like one that was built before.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/serve/serve.h"
#include "backend/tensorrt/options.h"
#include "base/mapped_file.h"
#include "tensorrt/network_info.h"

namespace assay::backend {

struct ScriptedEngine {
  std::shared_ptr<const base::MappedFile> bytes;
  std::string version;                // of the Python package that built it
  std::vector<std::string> warnings;  // what TensorRT ignored, and if the timing cache wasn't saved
};

// Runs a program that makes the network, the configuration and the engine with the package `tensorrt`, and saves the
// timing cache if the options ask for it. What the program and TensorRT print goes to standard error. Returns a Refused
// in the phase that failed, with what Python raised and what TensorRT logged as errors. If a signal ends the
// interpreter, it ends this process as well, so that Assay sees the crash.
Answer<ScriptedEngine> build_by_script(const worker::ModelSource& model, const TensorRtOptions& options);

// Returns the network that functions of the user have made or changed. Runs them, but builds nothing. Returns a Refused
// as above.
Answer<tensorrt::NetworkInfo> describe_by_script(const worker::ModelSource& model, const TensorRtOptions& options);

}  // namespace assay::backend
