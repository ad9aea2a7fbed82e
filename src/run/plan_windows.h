// Which tensors are marked together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay::run {

// Tensors [begin, end) of a list.
struct TensorRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] std::size_t size() const { return end - begin; }
  friend bool operator==(const TensorRange&, const TensorRange&) = default;
};

// Consecutive ranges that cover the list, each as long as its tensors take no more than `budget` bytes together; a
// tensor that is larger stands alone. A list that fits is one range; an empty list has none.
std::vector<TensorRange> plan_windows(std::span<const std::uint64_t> bytes, std::uint64_t budget);

}  // namespace assay::run
