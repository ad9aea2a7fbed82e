#include "bindings/gil.h"

#include <cxxabi.h>
#include <unistd.h>

namespace assay::python {

void wait_for_exit() {
  for (;;) pause();
}

GilRelease::~GilRelease() {
  try {
    PyEval_RestoreThread(state_);
  } catch (abi::__forced_unwind&) {
    wait_for_exit();
  }
}

GilAcquire::GilAcquire() {
  try {
    state_ = PyGILState_Ensure();
  } catch (abi::__forced_unwind&) {
    wait_for_exit();
  }
}

}  // namespace assay::python
