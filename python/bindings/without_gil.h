// Runs work that needs no Python object without the GIL, so that other threads continue.
#pragma once

#include <nanobind/nanobind.h>

#include <utility>

#include "bindings/errors.h"
#include "bindings/gil.h"

namespace assay::python {

// Returns the value of the Expected that `work` returns, or throws its error, with the GIL. The caller holds the GIL.
template <class Work>
auto without_gil(Work work, Subject subject = Subject::model) {
  auto result = [&] {
    const GilRelease release;
    return work();
  }();
  return unwrap(std::move(result), subject);
}

}  // namespace assay::python
