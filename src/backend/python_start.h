// From a worker that has just been started to an interpreter that serves a module.
#pragma once

namespace assay::backend {

// Takes the first request from `channel`. Options of the engine: module, the path of a Python file, or "reference" for
// the reference evaluator of the onnx package; its library is the interpreter. Returns only where that did not work,
// after answering why, or where there is nobody to answer; gives the exit status.
int become_python(int channel);

}  // namespace assay::backend
