// Files that the Python part of the package writes.
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>

#include "base/files.h"
#include "bindings/bindings.h"
#include "bindings/without_gil.h"

namespace assay::python {
namespace {

namespace nb = nanobind;

// `contents`: an object whose memory can be read in place, such as bytes or a mapped file.
void write_file(const std::filesystem::path& path, nb::handle contents) {
  Py_buffer buffer = {};
  if (PyObject_GetBuffer(contents.ptr(), &buffer, PyBUF_SIMPLE) != 0) throw nb::python_error();
  const std::unique_ptr<Py_buffer, void (*)(Py_buffer*)> held(&buffer, &PyBuffer_Release);
  const std::string_view bytes(static_cast<const char*>(buffer.buf), static_cast<std::size_t>(buffer.len));
  without_gil([&] { return base::write_file(path, bytes); }, Subject::input);
}

}  // namespace

void bind_files(nb::module_& module) {
  module.def("write_file", &write_file, nb::arg("path"), nb::arg("contents"),
             "Writes a whole file atomically. Creates missing folders, follows links and keeps the mode of the file.");
}

}  // namespace assay::python
