// A model for a worker, from a path or from bytes of a Python object.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <memory>
#include <string>
#include <variant>

#include "bindings/text.h"
#include "worker/engine.h"

namespace assay::python {

// Refers to the bytes of a Python object, which must outlive what is returned. `folder`: of the external data of bytes.
inline worker::ModelSource source_of(const std::variant<nanobind::str, nanobind::bytes>& model,
                                     const std::string& folder) {
  if (const auto* path = std::get_if<nanobind::str>(&model)) return worker::ModelFile{to_path(*path)};
  const nanobind::bytes& bytes = std::get<nanobind::bytes>(model);
  const std::shared_ptr<const void> owner(bytes.ptr(), [](PyObject*) {});
  return worker::ModelBytes{tensor::Buffer({static_cast<const std::byte*>(bytes.data()), bytes.size()}, owner), folder};
}

}  // namespace assay::python
