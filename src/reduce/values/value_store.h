// Stores values of tensors: small ones, and as many others as fit a budget, in memory; the rest in memory-mapped files,
// whose pages the kernel can drop when memory is short.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::reduce {

inline constexpr std::uint64_t kValueBudget = std::uint64_t{256} << 20;  // unless the user chooses another one

class ValueStore {
 public:
  // `folder` is the folder for files (if empty, the system's temporary folder), `budget` the bytes of values to keep in
  // memory. Files are unlinked once they are written, so nothing is left behind however the process ends.
  ValueStore(std::filesystem::path folder, std::uint64_t budget) : folder_(std::move(folder)), budget_(budget) {}

  // Errors: io if a file can't be written.
  base::Status set(const std::string& name, const tensor::Tensor& value);
  base::Status set(const tensor::NamedTensors& values);
  // Returns null if there is no such value. The bytes live as long as the tensor or a copy of it.
  [[nodiscard]] const tensor::Tensor* find(const std::string& name) const { return values_.find(name); }
  [[nodiscard]] const tensor::NamedTensors& all() const { return values_; }
  // Returns the number of bytes of values in memory.
  [[nodiscard]] std::uint64_t held() const { return held_; }

 private:
  [[nodiscard]] base::Expected<tensor::Tensor> to_file(const tensor::Tensor& value) const;

  std::filesystem::path folder_;
  std::uint64_t budget_;
  std::uint64_t held_ = 0;
  tensor::NamedTensors values_;
};

}  // namespace assay::reduce
