// A model as an object of the extension. python/assay/model.py wraps it.
#pragma once

#include <memory>

#include "base/error.h"
#include "model/model.h"

namespace assay::python {

// Never changes: functions that edit a model return a new one. Copies share the message and the files of the weights,
// so it can be used by several threads.
struct NativeModel {
  std::shared_ptr<const model::Model> model;

  explicit NativeModel(model::Model loaded) : model(std::make_shared<const model::Model>(std::move(loaded))) {}
  explicit NativeModel(std::shared_ptr<const model::Model> shared) : model(std::move(shared)) {}
};

}  // namespace assay::python
