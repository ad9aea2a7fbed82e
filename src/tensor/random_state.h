// NumPy's numpy.random.RandomState: the same seed yields the same numbers, bit for bit, so that Assay generates the
// same inputs as Polygraphy.
//
// Source: M. Matsumoto and T. Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998) (MT19937, 32 bits, init_genrand);
// NumPy's reference on RandomState.random_sample (53 bits) and RandomState.randint (masked rejection; NEP 19 freezes
// the stream).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::tensor {

class RandomState {
 public:
  explicit RandomState(std::uint32_t seed);

  // Returns a number in [0, 1), a multiple of 2^-53.
  double random_sample();

  // Equals randint(low, high + 1, shape, dtype=type): integers from low to high, both included, or booleans (low and
  // high are then 0 or 1). The ends have 128 bits because no 64-bit type holds those of both int64 and uint64.
  // Errors: invalid_input if low > high or the type can't hold them; unsupported for other types and too large shapes.
  base::Expected<Tensor> randint(ElementType type, Shape shape, __int128 low, __int128 high);

  // Returns one draw of randint(0, range + 1) with the default type (int64).
  std::uint64_t below_or_equal(std::uint64_t range);

 private:
  std::uint32_t next32();
  std::uint64_t next64();
  void twist();

  std::array<std::uint32_t, 624> state_;
  std::size_t at_ = 624;
};

}  // namespace assay::tensor
