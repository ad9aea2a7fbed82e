// Access to the reference files next to this header.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tensor/npy.h"

namespace assay::test {

inline std::filesystem::path tensor_fixture(const std::string& name) {
  return std::filesystem::path(ASSAY_SOURCE_DIR) / "src/tensor/testdata" / name;
}

inline tensor::Tensor read_fixture(const std::string& name) {
  auto tensor = tensor::read_npy(tensor_fixture(name));
  if (!tensor) {
    ADD_FAILURE() << tensor.error().message();
    return {};
  }
  return *tensor;
}

}  // namespace assay::test
