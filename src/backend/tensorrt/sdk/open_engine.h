// Opens a serialized engine, and prepares it to run.
#pragma once

#include <NvInferRuntime.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/tensorrt/sdk/sdk.h"
#include "tensorrt/engine_plan.h"

namespace assay::backend {

// Members end in reverse order: the runtime must outlive its engine.
struct OpenedEngine {
  tensorrt::Version version;  // of the TensorRT that runs the engine
  std::unique_ptr<nvinfer1::IRuntime> runtime;
  std::unique_ptr<nvinfer1::IRuntime> lean_runtime;  // null without --load-runtime
  std::unique_ptr<nvinfer1::ICudaEngine> engine;
  std::unique_ptr<nvinfer1::IExecutionContext> context;  // null before create_context()

  // Returns whether the engine and its context have what this version added. Calling a function that they don't have
  // would crash.
  [[nodiscard]] bool is_since(tensorrt::Version added) const { return version >= added; }
  // Returns a Refused in phase load if they are older than the version that added `what`.
  [[nodiscard]] Answer<void> needs(tensorrt::Version added, const std::string& what) const;
};

// Returns a Refused in phase load for bytes that aren't an engine of this TensorRT and GPU, and for settings that the
// engine can't have. `plugins`: libraries of plug-ins that the engine may need. `weights`: the model whose weights the
// engine gets; null: it keeps its own.
Answer<OpenedEngine> open_engine(std::string_view bytes, const tensorrt::EnginePlan& plan,
                                 const std::vector<std::string>& plugins, const worker::ModelSource* weights,
                                 TensorRtSdk& sdk);

// Creates the context in which the engine runs, whose layers can be shown without. Returns a Refused in phase load, for
// example if the GPU has too little memory.
Answer<void> create_context(const tensorrt::EnginePlan& plan, OpenedEngine& opened, TensorRtSdk& sdk);

}  // namespace assay::backend
