// The extension module assay._assay: a table of topics.
#include <nanobind/nanobind.h>

#include <exception>
#include <typeinfo>

#include "bindings/bindings.h"
#include "bindings/gil.h"

namespace {

using Bind = void (*)(nanobind::module_&);

constexpr Bind kTopics[] = {
    assay::python::bind_installation,  assay::python::bind_model,           assay::python::bind_surgeon,
    assay::python::bind_reduce,        assay::python::bind_compare_models,  assay::python::bind_arrays,
    assay::python::bind_session,       assay::python::bind_compare,         assay::python::bind_data,
    assay::python::bind_saved_data,    assay::python::bind_declared_shapes, assay::python::bind_tensorrt,
    assay::python::bind_engine_layers, assay::python::bind_diagnose,        assay::python::bind_report,
    assay::python::bind_files,         assay::python::bind_precision,
};

// Reports a value that can't be converted inside of a call, such as text that isn't Unicode, as nanobind reports one
// among the arguments. assay/arguments.py knows these words.
void translate_bad_cast(const std::exception_ptr& thrown, void* /*payload*/) {
  // Not a C++ exception: the interpreter has exited, and ends this thread in Python code that a call executes (gil.h).
  if (thrown == nullptr) assay::python::wait_for_exit();
  try {
    std::rethrow_exception(thrown);
  } catch (const std::bad_cast&) {
    PyErr_SetString(PyExc_TypeError, "incompatible function arguments: a value can't be converted");
  }
}

}  // namespace

NB_MODULE(_assay, module) {
  module.doc() = "The compiled part of the package assay. Use the modules of the package instead.";
  // A daemon thread may still hold objects when the interpreter exits. The user can't do anything about that.
  nanobind::set_leak_warnings(false);
  nanobind::register_exception_translator(&translate_bad_cast);
  for (const Bind bind : kTopics) bind(module);
}
