// Records which tactics TensorRT 10 chooses for the layers of an engine, or makes it choose those of a replay.
#pragma once

#include <NvInfer.h>

#include <memory>

#include "backend/tensorrt/sdk/build_callbacks.h"
#include "backend/tensorrt/sdk/sdk.h"
#include "tensorrt/config_plan.h"
#include "tensorrt/tactic_replay.h"

namespace assay::backend {

// TensorRT calls it while it builds an engine, from any thread. The build fails if TensorRT couldn't be given what it
// had to choose, or chose something else. After a build, what was recorded is saved, and warnings say what couldn't be
// replayed; it is an error if TensorRT didn't use the selector.
class TacticSelector : public nvinfer1::IAlgorithmSelector, public BuildCallback {};

// Sets the selector of the configuration as the plan asks. Returns null if it asks for none. The result must live until
// the engine is built. Returns a Refused in phase build if a replay can't be read, or if TensorRT takes no selector.
Answer<std::unique_ptr<TacticSelector>> apply_tactics(const tensorrt::ConfigPlan& plan, TensorRtSdk& sdk,
                                                      nvinfer1::IBuilderConfig& config);

}  // namespace assay::backend
