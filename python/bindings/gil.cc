#include "bindings/gil.h"

#include <cxxabi.h>
#include <unistd.h>

namespace assay::python {

void wait_for_exit() {
  for (;;) pause();
}

nanobind::object call_python(const nanobind::object& function, const nanobind::tuple& arguments) {
  PyObject* result = nullptr;
  try {
    result = PyObject_CallObject(function.ptr(), arguments.ptr());
  } catch (abi::__forced_unwind&) {
    wait_for_exit();
  }
  if (result == nullptr) nanobind::raise_python_error();
  return nanobind::steal(result);
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
