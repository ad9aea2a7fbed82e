// Helpers for tests of engines: models from text, feeds, and messages of failures.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/load.h"
#include "tensor/tensor.h"
#include "worker/engine.h"

namespace assay::test {

inline worker::ModelSource from_text(std::string_view text, const std::string& folder = {}) {
  const auto model = model::parse_text(text);
  if (!model) ADD_FAILURE() << model.error().message();
  return worker::ModelBytes{tensor::Buffer::own(model->proto.SerializeAsString()), folder};
}

// Returns the message of a Failed; expects that it failed in this phase.
inline std::string message(const worker::Failure& failure, worker::Phase phase) {
  const auto* failed = std::get_if<worker::Failed>(&failure);
  if (failed == nullptr) return "not Failed: " + worker::describe(failure);
  EXPECT_EQ(failed->phase, phase) << failed->message;
  return failed->message;
}

inline tensor::NamedTensors named(const std::string& name, tensor::Tensor tensor) {
  tensor::NamedTensors tensors;
  tensors.set(name, std::move(tensor));
  return tensors;
}

inline tensor::Tensor floats(tensor::Shape shape, const std::vector<float>& values) {
  return tensor::Tensor::of(tensor::ElementType::float32, std::move(shape), values);
}

}  // namespace assay::test
