// The extension module assay._assay: a table of topics.
#include <nanobind/nanobind.h>

#include "bindings/bindings.h"

namespace {

using Bind = void (*)(nanobind::module_&);

constexpr Bind kTopics[] = {
    assay::python::bind_installation,  assay::python::bind_model,           assay::python::bind_surgeon,
    assay::python::bind_reduce,        assay::python::bind_compare_models,  assay::python::bind_arrays,
    assay::python::bind_session,       assay::python::bind_compare,         assay::python::bind_data,
    assay::python::bind_saved_data,    assay::python::bind_declared_shapes, assay::python::bind_tensorrt,
    assay::python::bind_engine_layers, assay::python::bind_diagnose,        assay::python::bind_report,
    assay::python::bind_files,
};

}  // namespace

NB_MODULE(_assay, module) {
  module.doc() = "The compiled part of the package assay. Use the modules of the package instead.";
  // A daemon thread may still hold objects when the interpreter exits. The user can't do anything about that.
  nanobind::set_leak_warnings(false);
  for (const Bind bind : kTopics) bind(module);
}
