// For tests: a TensorInfo in words.
#pragma once

#include <fmt/format.h>

#include <string>

#include "model/shapes.h"

namespace assay::model {

// Returns "float32 2 N ?", or "float32 ?" if the rank is unknown.
inline std::string describe(const TensorInfo& info) {
  std::string text(tensor::name(info.type));
  if (!info.shape) return text + " ?";
  for (const Dimension& dim : *info.shape) {
    text += dim.value >= 0 ? fmt::format(" {}", dim.value) : " " + (dim.symbol.empty() ? "?" : dim.symbol);
  }
  return text;
}

}  // namespace assay::model
