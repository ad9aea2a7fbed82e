// Everything that is asked of two tensors at once, in one pass over their memory: how far apart they are, where most,
// and what in them is no number. For tables of layers and for finding the first that differs; what `simple` prints is
// in summary.h, whose numbers follow NumPy's roundings.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::stats {

struct MeasureOptions {
  double absolute_tolerance = 1e-5;
  double relative_tolerance = 1e-5;
  // Infinities of the same sign, and NaN beside NaN, differ by 0; else by NaN.
  bool infinities_equal = false;
  bool nans_equal = false;
  int threads = 0;  // 0: as many as the machine has, where there is work for them; the result is the same for all
};

// Errors that are a number; infinity where one value is infinite. All 0 where there is none.
struct ErrorRange {
  double mean = 0;
  double max = 0;
  std::uint64_t max_at = 0;  // the first such element, in row-major order
};

struct ErrorSummary {
  std::uint64_t elements = 0;
  ErrorRange absolute;          // |a - b|
  ErrorRange relative;          // |a - b| / |b|; a floating b of 0 counts as 2^-52; 0 / 0 of integers is no number
  std::uint64_t undefined = 0;  // elements whose absolute error is no number
  // Elements with both errors beyond their tolerances or not a number: what `simple` calls wrong.
  std::uint64_t beyond = 0;
  std::uint64_t first_beyond = 0;  // where the first of them is

  // Steps between neighbouring values of the type (of the coarser where they differ) that lie between a and b; of
  // integers the difference. Over elements of which neither is NaN; infinity follows the largest number.
  std::uint64_t max_ulp = 0;
  std::uint64_t max_ulp_at = 0;

  struct Strange {
    std::uint64_t first = 0;       // in the first tensor
    std::uint64_t second = 0;      // in the second
    std::uint64_t mismatched = 0;  // in one of them alone (or infinities of different signs)
  };
  Strange nan;
  Strange infinite;

  // Sums in double over all elements; not a number where an element is not.
  double first_squared = 0;
  double second_squared = 0;
  double product = 0;
  double difference_squared = 0;
  double first_peak = 0;  // the largest value of the first tensor that is a number; -infinity for no elements

  // Same bytes, or same values throughout: no error, and no element that is no number.
  [[nodiscard]] bool equal() const { return absolute.max == 0 && undefined == 0 && beyond == 0; }

  [[nodiscard]] double l2() const;      // |a - b|
  [[nodiscard]] double cosine() const;  // 1 where both are 0, 0 where one is
  [[nodiscard]] double psnr() const;    // dB; infinite where a equals b, NaN for no elements
  [[nodiscard]] double snr() const;     // dB; likewise
};

// Both are numeric, both complex (then real and imaginary parts are elements of their own, position 2i and 2i + 1) or
// both strings (an element is beyond where they differ; nothing else is measured). Takes some MB at most.
// Errors: invalid_input where shapes differ or types cannot be compared.
base::Expected<ErrorSummary> measure(const tensor::Tensor& first, const tensor::Tensor& second,
                                     const MeasureOptions& options = {});

}  // namespace assay::stats
