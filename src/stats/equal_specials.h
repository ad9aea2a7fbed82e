// Which pairs of values count as equal although neither is finite. Without these, infinity - infinity and NaN - NaN are
// NaN, so that such a pair never agrees.
#pragma once

namespace assay::stats {

// Pairs that are set here differ by 0; other pairs with a value that isn't finite differ by NaN or infinity.
struct EqualSpecials {
  bool infinities = false;  // of the same sign
  bool nans = false;

  static constexpr EqualSpecials both() { return {.infinities = true, .nans = true}; }
};

}  // namespace assay::stats
