// Releases and acquires the GIL, and calls Python, in threads that may still run when the interpreter exits, such as
// daemon threads.
//
// Until version 3.13, Python then ends a thread that asks for the GIL by pthread_exit(), which unwinds the stack like
// an exception. That ends the process with std::terminate() as soon as it reaches a destructor or another function that
// throws nothing, and from version 3.12 on with a segmentation fault if a destructor frees an object of Python. So the
// thread waits for the end of the process instead, as it does in Python 3.14.
#pragma once

#include <nanobind/nanobind.h>

namespace assay::python {

// Waits until the process has ended. For handlers of abi::__forced_unwind, which must not return.
[[noreturn]] void wait_for_exit();

// Calls a function that executes Python code. Doesn't return if the interpreter has exited meanwhile: then nothing may
// be destroyed, since this thread no longer holds the GIL.
nanobind::object call_python(const nanobind::object& function, const nanobind::tuple& arguments);

// Releases the GIL, and acquires it again at the end of the scope. The caller holds the GIL.
class GilRelease {
 public:
  GilRelease() : state_(PyEval_SaveThread()) {}
  ~GilRelease();
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;

 private:
  PyThreadState* state_;
};

// Acquires the GIL until the end of the scope, in any thread, also in one that holds it.
class GilAcquire {
 public:
  GilAcquire();
  ~GilAcquire() { PyGILState_Release(state_); }
  GilAcquire(const GilAcquire&) = delete;
  GilAcquire& operator=(const GilAcquire&) = delete;

 private:
  PyGILState_STATE state_{};
};

}  // namespace assay::python
