// Lets ONNX Runtime write outputs directly into the shared memory that is sent to Assay.
#pragma once

#include <string>
#include <vector>

#include "backend/onnxruntime/library.h"
#include "backend/onnxruntime/memory.h"

namespace assay::backend {

struct PlacedOutputs {
  std::vector<Owned<OrtValue>> values;  // one per name; null if ONNX Runtime allocates the output
  OutputMemory memory;                  // no memory if no output is placed
};

// Places the outputs whose sizes are known in shared memory, or none of them if they are small or don't fit in memory.
// `info` and `overridable` describe the session's inputs and outputs; `names` must be outputs of the session. Uses
// `memory` if it is large enough, else allocates.
PlacedOutputs place_outputs(const OnnxRuntimeLibrary& library, const std::vector<std::string>& names,
                            const worker::SessionInfo& info, const std::vector<worker::Port>& overridable,
                            OutputMemory memory);

// Returns true if a run may have failed only because an output's shape differs from the one that the model declares.
// Such a run works if ONNX Runtime allocates the output itself.
bool may_be_wrong_shape(const worker::Refused& refused);

}  // namespace assay::backend
