// The differences of two tensors, element by element, computed when they are read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compare/series.h"
#include "compare/summary.h"
#include "tensor/tensor.h"

namespace assay::compare {

// Real: float where NumPy would compute in float32 (see fits_in_float), else double. Integers are subtracted exactly.
// A relative difference is |a - b| / |b|; a floating b of 0 counts as the rounding unit of float64 (2^-52), and of
// integers and booleans it is what the division gives (NaN for 0 / 0, infinity else).
// The tensors are numeric, of the same size, and outlive this.
template <class Real>
class Differences {
 public:
  Differences(const tensor::Tensor& first, const tensor::Tensor& second, bool infinities_equal);

  [[nodiscard]] std::uint64_t size() const { return first_.size(); }
  // At most kBlock elements. `relative` may be null.
  void read(std::uint64_t begin, std::size_t count, Real* absolute, Real* relative) const;
  [[nodiscard]] Arithmetic absolute_arithmetic() const { return absolute_arithmetic_; }
  [[nodiscard]] Arithmetic relative_arithmetic() const {
    return sizeof(Real) == sizeof(float) ? Arithmetic::float32 : Arithmetic::float64;
  }

 private:
  const tensor::Tensor& first_;
  const tensor::Tensor& second_;
  bool infinities_equal_;
  bool wide_;  // one of them has integers of 64 bits, and none is floating
  bool floating_divisor_;
  Arithmetic absolute_arithmetic_;
};

// Whether all differences are known to be 0 without computing any: the same type, the same bytes, and in floating types
// neither NaN nor infinity. Relative differences of integers are none of it: 0 / 0 is no number.
bool surely_equal(const tensor::Tensor& first, const tensor::Tensor& second);

// Whether Differences<float> does for two types; else Differences<double>.
bool fits_in_float(tensor::ElementType first, tensor::ElementType second);

template <class Real>
class AbsoluteSeries final : public Series<Real> {
 public:
  explicit AbsoluteSeries(const Differences<Real>& differences) : differences_(differences) {}
  [[nodiscard]] std::uint64_t size() const override { return differences_.size(); }
  void read(std::uint64_t begin, std::size_t count, Real* out) const override {
    differences_.read(begin, count, out, nullptr);
  }

 private:
  const Differences<Real>& differences_;
};

template <class Real>
class RelativeSeries final : public Series<Real> {
 public:
  explicit RelativeSeries(const Differences<Real>& differences) : differences_(differences) {}
  [[nodiscard]] std::uint64_t size() const override { return differences_.size(); }
  void read(std::uint64_t begin, std::size_t count, Real* out) const override;

 private:
  const Differences<Real>& differences_;
};

}  // namespace assay::compare
