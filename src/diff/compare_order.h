// Measures how far two orders of the same things differ.
#pragma once

#include <cstddef>
#include <vector>

namespace assay::diff {

// Returns the fewest things that have to move so that the old order becomes the new one. `positions` holds their new
// positions in the old order; the result has indices into it.
std::vector<std::size_t> find_moved(const std::vector<int>& positions);

}  // namespace assay::diff
