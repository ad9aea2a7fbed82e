// Recorded values of tensors: small ones, and what fits a budget, in memory; all others in files, of which the kernel
// holds no more than it has room for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::reduce {

class ValueStore {
 public:
  // Bytes of values that are held in memory; `folder` is where the files lie (the system's temporary folder where
  // empty). They have no names once they are written, so nothing is left of them, however the process ends.
  ValueStore(std::filesystem::path folder, std::uint64_t budget) : folder_(std::move(folder)), budget_(budget) {}

  // Errors: io, where a file cannot be written.
  base::Status set(const std::string& name, const tensor::Tensor& value);
  base::Status set(const tensor::NamedTensors& values);
  // Null where there is none. The tensor's bytes live as long as it, or a copy of it, does.
  [[nodiscard]] const tensor::Tensor* find(const std::string& name) const { return values_.find(name); }
  [[nodiscard]] const tensor::NamedTensors& all() const { return values_; }
  // Bytes in memory.
  [[nodiscard]] std::uint64_t held() const { return held_; }

 private:
  [[nodiscard]] base::Expected<tensor::Tensor> to_file(const tensor::Tensor& value) const;

  std::filesystem::path folder_;
  std::uint64_t budget_;
  std::uint64_t held_ = 0;
  tensor::NamedTensors values_;
};

}  // namespace assay::reduce
