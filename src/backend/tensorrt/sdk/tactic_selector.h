// Records which tactics TensorRT chooses for the layers of an engine, or makes it choose those of a replay.
#pragma once

#include <NvInfer.h>

#include <memory>

#include "backend/tensorrt/sdk/sdk.h"
#include "tensorrt/config_plan.h"
#include "tensorrt/tactic_replay.h"

namespace assay::backend {

// TensorRT calls it while it builds an engine, from any thread.
class TacticSelector : public nvinfer1::IAlgorithmSelector {
 public:
  // Returns a Refused in phase build if TensorRT couldn't be given what it had to choose, or chose something else. It
  // is the reason for a build that failed.
  [[nodiscard]] virtual Answer<void> check() = 0;
  // Saves what was recorded, or warns about what couldn't be replayed. Called after a build that succeeded. Returns a
  // Refused if TensorRT didn't use the selector.
  [[nodiscard]] virtual Answer<void> finish() = 0;
};

// Sets the selector of the configuration as the plan asks. Returns null if it asks for none. The result must live until
// the engine is built. Returns a Refused in phase build if a replay can't be read, or if TensorRT takes no selector.
Answer<std::unique_ptr<TacticSelector>> apply_tactics(const tensorrt::ConfigPlan& plan, TensorRtSdk& sdk,
                                                      nvinfer1::IBuilderConfig& config);

}  // namespace assay::backend
