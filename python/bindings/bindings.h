// The topics of the extension module, each bound by a file of its name. The Python files of the package wrap what they
// define, so that names, defaults and documentation are written once, in Python.
#pragma once

#include <nanobind/nanobind.h>

namespace assay::python {

void bind_arrays(nanobind::module_& module);
void bind_compare(nanobind::module_& module);
void bind_data(nanobind::module_& module);
void bind_declared_shapes(nanobind::module_& module);
void bind_diagnose(nanobind::module_& module);
void bind_engine_layers(nanobind::module_& module);
void bind_files(nanobind::module_& module);
void bind_installation(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_surgeon(nanobind::module_& module);
void bind_reduce(nanobind::module_& module);
void bind_compare_models(nanobind::module_& module);
void bind_precision(nanobind::module_& module);
void bind_report(nanobind::module_& module);
void bind_saved_data(nanobind::module_& module);
void bind_session(nanobind::module_& module);
void bind_tensorrt(nanobind::module_& module);

}  // namespace assay::python
