// Finds out whether an output differs because its rows are in another order.
//
// TopK and NonMaxSuppression choose by scores. If these differ slightly, as between float32 and float16, the same boxes
// come out in another order, and a comparison row by row shows errors as large as the image.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compare/pair_facts.h"
#include "stats/equal_specials.h"
#include "tensor/tensor.h"

namespace assay::compare {

struct MovedRows {
  std::uint64_t differing = 0;  // rows of the first run that differ from the row in their place
  std::uint64_t moved = 0;      // those of them that agree with another such row of the second run, each with its own
};

// A row is the last axis, which has at least two elements; rows agree if all their elements are within the tolerances.
// If only the numbers of rows differ, no row has a place, so all of them count as differing. Returns nullopt if the
// tensors have no such rows, aren't numeric, or are too large to search quickly.
std::optional<MovedRows> find_moved_rows(const tensor::Tensor& first, const tensor::Tensor& second,
                                         const Tolerances& tolerances, stats::EqualSpecials equal);

// Returns a sentence without a full stop if at least half of the rows that differ have moved, otherwise an empty
// string.
std::string describe_moved_rows(const tensor::Tensor& first, const tensor::Tensor& second, const Tolerances& tolerances,
                                stats::EqualSpecials equal);

}  // namespace assay::compare
