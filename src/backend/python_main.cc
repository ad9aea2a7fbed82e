// assay-worker-python: takes the tool's first request, which names an interpreter and a module, and becomes that
// interpreter, with the scripts in assay_python/ (worker.py answers the request and all that follow). So the process
// that crashes, hangs or leaves is the worker itself.
//
//   assay-worker-python --clean-up FOLDER     removes the folder once its standard input ends; detached from its parent
#include <unistd.h>

#include "backend/python_clean_up.h"
#include "backend/python_start.h"
#include "worker/child.h"

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--clean-up") return assay::backend::clean_up_at_end(argv[2]);
  return assay::backend::become_python(assay::worker::kChannel);
}
