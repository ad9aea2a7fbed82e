// Helpers of this room's tests, such as the paths of the files next to this header.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "tensor/tensor.h"
#include "tests/support/paths.h"

namespace assay::test {

inline std::filesystem::path data_fixture(const std::string& name) {
  return test::source_dir() / "src/data/testdata" / name;
}

inline tensor::Tensor floats(tensor::Shape shape, const std::vector<float>& values) {
  return tensor::Tensor::of<float>(tensor::ElementType::float32, std::move(shape), values);
}

inline tensor::NamedTensors named(std::vector<std::pair<std::string, tensor::Tensor>> items) {
  tensor::NamedTensors result;
  for (auto& [name, value] : items) result.set(std::move(name), std::move(value));
  return result;
}

}  // namespace assay::test
