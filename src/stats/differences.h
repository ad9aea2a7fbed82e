// The differences of two tensors, element by element, computed as they are read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stats/block_kernels.h"
#include "stats/columns.h"
#include "stats/equal_specials.h"
#include "stats/series.h"
#include "stats/summary.h"
#include "tensor/tensor.h"

namespace assay::stats {

// Real: float if NumPy would compute in float32 (see fits_in_float), else double. Integers are subtracted exactly. A
// relative difference is |a - b| / |b|. A floating-point b of 0 is replaced by the rounding unit of float64 (2^-52); an
// integer or boolean b of 0 gives NaN for 0 / 0 and infinity otherwise. Both tensors are numeric, have the same size
// and must outlive this object.
template <class Real>
class Differences {
 public:
  Differences(const tensor::Tensor& first, const tensor::Tensor& second, EqualSpecials equal);

  [[nodiscard]] std::uint64_t size() const { return first_.size(); }
  // Reads at most kBlock elements of both tensors and of their differences; each output has room for kSlack more.
  void read(std::uint64_t begin, std::size_t count, Real* first, Real* second, Real* absolute, Real* relative) const;
  [[nodiscard]] Arithmetic absolute_arithmetic() const { return absolute_arithmetic_; }
  [[nodiscard]] Arithmetic relative_arithmetic() const {
    return sizeof(Real) == sizeof(float) ? Arithmetic::float32 : Arithmetic::float64;
  }

 private:
  const tensor::Tensor& first_;
  const tensor::Tensor& second_;
  EqualSpecials equal_;
  bool wide_;  // one has 64-bit integers and neither is floating-point
  bool floating_divisor_;
  const BlockKernels<Real>& kernels_;
  Arithmetic absolute_arithmetic_;
};

// Returns true if all differences are known to be 0 without computing any: the types are floating-point and equal, the
// bytes are equal, and there is neither NaN nor infinity. Returns false for integers, whose relative differences may be
// 0 / 0.
bool surely_equal(const tensor::Tensor& first, const tensor::Tensor& second);

// Returns true if Differences<float> is enough for the two types, false if they need Differences<double>.
bool fits_in_float(tensor::ElementType first, tensor::ElementType second);

template <class Real>
class AbsoluteSeries final : public Series<Real> {
 public:
  explicit AbsoluteSeries(const Differences<Real>& differences) : differences_(differences) {}
  [[nodiscard]] std::uint64_t size() const override { return differences_.size(); }
  void read(std::uint64_t begin, std::size_t count, Real* out) const override;

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

// Columns: the first tensor, the second, the absolute and the relative differences.
template <class Real>
class PairColumns final : public Columns<Real> {
 public:
  explicit PairColumns(const Differences<Real>& differences) : differences_(differences) {}
  [[nodiscard]] std::size_t count() const override { return 4; }
  [[nodiscard]] std::uint64_t size() const override { return differences_.size(); }
  void read(std::uint64_t begin, std::size_t count, Real* const* out) const override {
    differences_.read(begin, count, out[0], out[1], out[2], out[3]);
  }

 private:
  const Differences<Real>& differences_;
};

// Columns: the absolute and the relative differences.
template <class Real>
class DifferenceColumns final : public Columns<Real> {
 public:
  explicit DifferenceColumns(const Differences<Real>& differences) : differences_(differences) {}
  [[nodiscard]] std::size_t count() const override { return 2; }
  [[nodiscard]] std::uint64_t size() const override { return differences_.size(); }
  void read(std::uint64_t begin, std::size_t count, Real* const* out) const override;

 private:
  const Differences<Real>& differences_;
};

}  // namespace assay::stats
