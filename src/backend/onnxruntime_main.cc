// assay-worker-onnxruntime: ONNX Runtime in a process of its own.
#include <unistd.h>

#include <cstdlib>

#include "backend/onnxruntime_engine.h"
#include "backend/serve.h"
#include "worker/child.h"

int main() {
  // Newer versions write down how they are used, below the home folder. Whoever wants that sets it to 0.
  ::setenv("ORT_DISABLE_TELEMETRY", "1", 0);
  const auto engine = assay::backend::make_onnxruntime_engine();
  // No destructors, of ours or the engine's: all that is left to do is to go, and that is not worth a crash.
  ::_exit(assay::backend::serve(*engine, assay::worker::kChannel));
}
