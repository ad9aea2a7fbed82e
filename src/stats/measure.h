// Measures how two tensors differ, in one pass over their memory: error sizes, where the largest errors are, and how
// many elements are NaN or infinite. Used by tables of layers and by the search for the first tensor that diverges. The
// numbers that `simple` prints come from summary.h instead, which rounds like NumPy.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "stats/equal_specials.h"
#include "tensor/tensor.h"

namespace assay::stats {

struct MeasureOptions {
  double absolute_tolerance = 1e-5;
  double relative_tolerance = 1e-5;
  EqualSpecials equal = {};
  int threads = 0;  // 0: as many as the machine has, if there is enough work. Doesn't change the result.
};

// Errors that aren't NaN; an error is infinite if one of the values is. All members are 0 if there is no such error.
struct ErrorRange {
  double mean = 0;
  double max = 0;
  std::uint64_t max_at = 0;  // index of the first such element in row-major order
};

struct ErrorSummary {
  std::uint64_t elements = 0;
  ErrorRange absolute;          // |a - b|
  ErrorRange relative;          // |a - b| / |b|; a floating-point b of 0 counts as 2^-52; 0 / 0 of integers is NaN
  std::uint64_t undefined = 0;  // elements whose absolute error is NaN
  // Elements whose errors are both beyond their tolerances or NaN: those that `simple` counts as wrong.
  std::uint64_t beyond = 0;
  std::uint64_t first_beyond = 0;  // index of the first of them

  // The largest distance between a and b in steps between neighbouring values of the type (of the coarser type if they
  // differ); for integers |a - b|. Elements with a NaN are ignored; infinity follows the largest finite value.
  std::uint64_t max_ulp = 0;
  std::uint64_t max_ulp_at = 0;

  struct SpecialCounts {
    std::uint64_t first = 0;       // count in the first tensor
    std::uint64_t second = 0;      // count in the second tensor
    std::uint64_t mismatched = 0;  // in only one of the two (or infinities of different signs)
  };
  SpecialCounts nan;
  SpecialCounts infinite;

  // Sums in double over all elements but NaNs and infinities that are equal by the options; not finite if another
  // element isn't.
  double first_squared = 0;
  double second_squared = 0;
  double product = 0;
  double difference_squared = 0;
  double first_peak = 0;  // the largest value of the first tensor, ignoring NaN; -infinity for an empty tensor

  // Returns true if no element has an error, defined or undefined.
  [[nodiscard]] bool equal() const { return absolute.max == 0 && undefined == 0 && beyond == 0; }

  [[nodiscard]] double l2() const;      // Euclidean norm of a - b
  [[nodiscard]] double cosine() const;  // 1 if both are 0, 0 if only one is
  [[nodiscard]] double psnr() const;    // dB; infinite if a equals b, NaN without elements
  [[nodiscard]] double snr() const;     // dB; likewise
};

// Measures two tensors of the same shape. Both are numeric, both complex (real and imaginary parts then count as
// elements of their own, 2i and 2i + 1) or both strings (an element is beyond if the strings differ; nothing else is
// measured). Needs a few MB of memory at most. Errors: invalid_input if the shapes differ or the types can't be
// compared.
base::Expected<ErrorSummary> measure(const tensor::Tensor& first, const tensor::Tensor& second,
                                     const MeasureOptions& options = {});

}  // namespace assay::stats
