// Access to the reference files next to this header.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/mapped_file.h"
#include "tensor/npy.h"
#include "tests/support/paths.h"

namespace assay::test {

inline std::filesystem::path tensor_fixture(const std::string& name) {
  return test::source_dir() / "src/tensor/testdata" / name;
}

inline base::Expected<tensor::Tensor> try_fixture(const std::string& name) {
  ASSAY_ASSIGN(auto file, base::MappedFile::open(tensor_fixture(name)));
  return tensor::parse_npy(tensor::Buffer(file->bytes(), file));
}

inline tensor::Tensor read_fixture(const std::string& name) {
  auto tensor = try_fixture(name);
  if (!tensor) {
    ADD_FAILURE() << tensor.error().message();
    return {};
  }
  return *tensor;
}

}  // namespace assay::test
