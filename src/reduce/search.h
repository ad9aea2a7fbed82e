// Searches over positions 0 to count-1 of which some fail. They know nothing of models.
//
// Both end with the position at which they found the failure nearest to the end that they move to; they believe in
// monotony only for speed: what they return did fail.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "base/error.h"

namespace assay::reduce {

enum class Toward { first, last };  // which way candidates get smaller

// Tries one position: does it fail?
using Try = std::function<base::Expected<bool>(int position)>;

// Halves the range. At most ceil(log2(count)) tries, for count 1 one. The first position (the last, for Toward::last,
// is tried) is reached only where count is 1: users know these very steps from the older tool, and its replay files
// hold their numbers.
base::Expected<std::optional<int>> bisect(int count, Toward toward, const Try& fails);

// Tries every position, the largest candidate first.
base::Expected<std::optional<int>> linear(int count, Toward toward, const Try& fails);

// How many tries a search makes at most.
int bisect_steps(int count);

enum class Mode { bisect, linear };
base::Expected<std::optional<int>> search(Mode mode, int count, Toward toward, const Try& fails);

}  // namespace assay::reduce
