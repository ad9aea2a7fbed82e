// Outputs that ONNX Runtime writes straight into memory that goes to the tool.
#pragma once

#include <string>
#include <vector>

#include "backend/onnxruntime_library.h"
#include "backend/onnxruntime_memory.h"

namespace assay::backend {

struct PlacedOutputs {
  std::vector<Owned<OrtValue>> values;  // one of each name; null: ONNX Runtime makes it
  OutputMemory memory;                  // none: none is placed
};

// Places for those of the outputs whose size is known, if there is much of them and room for it; else for none. `info`
// and `overridable` are what the session takes and gives; all names are outputs. They lie in `memory`, if that is large
// enough.
PlacedOutputs place_outputs(const OnnxRuntimeLibrary& library, const std::vector<std::string>& names,
                            const worker::SessionInfo& info, const std::vector<worker::Port>& overridable,
                            OutputMemory memory);

// Whether a run may have failed only because an output has another shape than its model says, which nobody minds where
// ONNX Runtime makes the output itself.
bool may_be_about_places(const worker::Refused& refused);

}  // namespace assay::backend
