// assay-worker-tensorrt: TensorRT in a process of its own.
#include <unistd.h>

#include "backend/serve/serve.h"
#include "backend/tensorrt/sdk/engine.h"
#include "worker/child.h"

int main() {
  const auto engine = assay::backend::make_tensorrt_engine();
  // Skips destructors, ours and the engine's: nothing needs them any more, and one of them might crash.
  ::_exit(assay::backend::serve(*engine, assay::worker::kChannel));
}
