// Turns a worker that was just started into a Python interpreter that serves a module.
#pragma once

namespace assay::backend {

// Receives the first request from `channel` and becomes the interpreter that the request names as the engine's library.
// The only option is `module`: the path of a Python file, or "reference" for the onnx package's reference evaluator.
// Returns the exit status only on failure, after sending the reason if possible.
int become_python(int channel);

}  // namespace assay::backend
