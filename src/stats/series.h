// A sequence of numbers that is computed as it is read: the elements of a tensor, or the differences of two.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/tensor.h"

namespace assay::stats {

// Real is float or double: the type in which NumPy would hold the numbers.
template <class Real>
class Series {
 public:
  virtual ~Series() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  // Reads numbers [begin, begin + count), at most kBlock (read_block.h).
  virtual void read(std::uint64_t begin, std::size_t count, Real* out) const = 0;
};

template <class Real>
class TensorSeries final : public Series<Real> {
 public:
  explicit TensorSeries(const tensor::Tensor& tensor) : tensor_(tensor) {}
  [[nodiscard]] std::uint64_t size() const override { return tensor_.size(); }
  void read(std::uint64_t begin, std::size_t count, Real* out) const override;

 private:
  const tensor::Tensor& tensor_;
};

}  // namespace assay::stats
