// assay-worker-openvino: OpenVINO in a process of its own.
#include <unistd.h>

#include "backend/openvino/engine.h"
#include "backend/serve/serve.h"
#include "worker/child.h"

int main() {
  const auto engine = assay::backend::make_openvino_engine();
  // Skips destructors, ours and the engine's: nothing needs them any more, and one of them might crash.
  ::_exit(assay::backend::serve(*engine, assay::worker::kChannel));
}
