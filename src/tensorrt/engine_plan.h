// How a user wants an engine to be run, and what to save of it, as data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"
#include "tensorrt/given_settings.h"

namespace assay::tensorrt {

// Memory of the GPU for weights of an engine that streams them.
struct StreamingBudget {
  enum class Kind { bytes, percent, automatic, all };
  Kind kind = Kind::all;  // all: nothing is streamed
  double value = 0;       // bytes, or percent of the weights that can be streamed
};

enum class Allocation { once, for_profile, for_shapes };  // when memory for activations is allocated

struct EnginePlan {
  std::string runtime;            // library of a lean runtime; empty: TensorRT itself
  std::string save_engine;        // file; empty: not saved
  std::string refit_from;         // file of the ONNX model whose weights the engine gets; empty: it keeps its own
  std::string save_timing_cache;  // file, which is extended if it exists; empty: not saved
  std::optional<int> dla_core;    // nullopt: the engine needn't run on the DLA
  std::optional<int> profile;     // index; nullopt: the first one that takes the inputs
  Allocation allocation = Allocation::once;
  std::optional<StreamingBudget> streaming;
  bool marks_layers = false;   // writes NVTX markers of layers, which cost time
  bool shows_unfused = false;  // the engine was built with all unfused tensors marked for debugging
};

// Errors: invalid_input; unsupported for settings that TensorRT doesn't have.
base::Expected<EnginePlan> plan_engine(const GivenSettings& given);

}  // namespace assay::tensorrt
