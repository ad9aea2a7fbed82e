// assay-worker-onnxruntime: ONNX Runtime in a process of its own.
#include <unistd.h>

#include <cstdlib>

#include "backend/onnxruntime/engine.h"
#include "backend/serve/serve.h"
#include "worker/child.h"

int main() {
  // Newer versions record usage below the home folder. A user who wants that sets the variable to 0.
  ::setenv("ORT_DISABLE_TELEMETRY", "1", 0);
  const auto engine = assay::backend::make_onnxruntime_engine();
  // Skips destructors, ours and the engine's: nothing needs them any more, and one of them might crash.
  ::_exit(assay::backend::serve(*engine, assay::worker::kChannel));
}
