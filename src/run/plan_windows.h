// Groups tensors that are marked as outputs together.
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

// Returns consecutive ranges that cover the list. The tensors of each range take at most `budget` bytes together; a
// larger tensor gets a range of its own. If everything fits, there is one range; for an empty list, there is none.
std::vector<TensorRange> plan_windows(std::span<const std::uint64_t> bytes, std::uint64_t budget);

}  // namespace assay::run
