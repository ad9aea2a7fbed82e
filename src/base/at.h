// Numbers of nodes, tensors and the like as indices into arrays.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::base {

// Returns the number as an index. It must not be negative: negative numbers mean "none".
constexpr std::size_t at(std::int32_t number) {
  return static_cast<std::size_t>(number);
}

}  // namespace assay::base
