// assay-worker-python: receives Assay's first request, which names an interpreter and a module, and becomes that
// interpreter, running the scripts in assay_python/ (worker.py answers this request and all later ones). So if the
// module crashes, hangs or exits, it is the worker process itself that does.
//
//   assay-worker-python --clean-up FOLDER     detaches itself and removes the folder once its standard input ends
#include <unistd.h>

#include "backend/python/clean_up.h"
#include "backend/python/start.h"
#include "worker/child.h"

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--clean-up") return assay::backend::clean_up_at_end(argv[2]);
  return assay::backend::become_python(assay::worker::kChannel);
}
