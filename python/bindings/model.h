// A model as an object of the extension. python/assay/model.py wraps it.
#pragma once

#include <filesystem>
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

// Checks that a result saved to `output` would replace neither the file that the model was loaded from nor its weights.
// `output` may be empty. For calls that only read the model: a mistake must not cost it, nor show after hours.
base::Status keeps_files(const NativeModel& model, const std::filesystem::path& output);

}  // namespace assay::python
