// Runs work that needs no Python object without the GIL, so that other threads continue.
#pragma once

#include <nanobind/nanobind.h>

#include <utility>

#include "bindings/errors.h"

namespace assay::python {

// Returns the value of the Expected that `work` returns, or throws its error, with the GIL. The caller holds the GIL.
template <class Work>
auto without_gil(Work work, Subject subject = Subject::model) {
  auto result = [&] {
    const nanobind::gil_scoped_release release;
    return work();
  }();
  return unwrap(std::move(result), subject);
}

}  // namespace assay::python
