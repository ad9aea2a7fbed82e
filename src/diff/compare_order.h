// Measures how far two orders of the same things differ.
#pragma once

#include <cstddef>
#include <vector>

namespace assay::diff {

// `positions`: the new positions of things in their old order. Returns which of them (by their index in `positions`)
// have to move so that the old order becomes the new one: as few as possible.
std::vector<std::size_t> find_moved(const std::vector<int>& positions);

}  // namespace assay::diff
