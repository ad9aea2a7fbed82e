// assay-worker-openvino: OpenVINO in a process of its own.
#include <unistd.h>

#include "backend/openvino_engine.h"
#include "backend/serve.h"
#include "worker/child.h"

int main() {
  const auto engine = assay::backend::make_openvino_engine();
  // No destructors, of ours or the engine's: all that is left to do is to go, and that is not worth a crash.
  ::_exit(assay::backend::serve(*engine, assay::worker::kChannel));
}
