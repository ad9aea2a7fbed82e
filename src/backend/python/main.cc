// assay-worker-python: receives Assay's first request, which names an interpreter and a module, and becomes that
// interpreter, running the scripts in assay_python/ (worker.py answers this request and all later ones). So if the
// module crashes, hangs or exits, it is the worker process itself that does.
#include "backend/python/start.h"
#include "worker/child.h"

int main() {
  return assay::backend::become_python(assay::worker::kChannel);
}
