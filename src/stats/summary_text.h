// How statistics and positions in tensors are written for people.
#pragma once

#include <cstdint>
#include <string>

#include "stats/summary.h"
#include "tensor/tensor.h"

namespace assay::stats {

// Returns "mean=0.5, std-dev=..., min=0 at (0, 1), ..."; positions are indices into a tensor of this shape.
std::string describe(const Summary& summary, const tensor::Shape& shape);

// Returns the indices of an element of a tensor of this shape. `position` counts in row-major order.
tensor::Shape position_of(std::uint64_t position, const tensor::Shape& shape);
// Returns the indices as text: "(0, 1)".
std::string format_position(std::uint64_t position, const tensor::Shape& shape);

// Returns the number with five significant digits, as for all statistics that are printed.
std::string format_number(double value);

}  // namespace assay::stats
