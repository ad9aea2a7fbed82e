#include "model/inference/shape_output.h"

#include <algorithm>

#include "model/attributes.h"

namespace assay::model {

std::vector<std::int64_t> shape_output(const onnx::NodeProto& node, std::span<const std::int64_t> sizes) {
  const auto rank = static_cast<std::int64_t>(sizes.size());
  const auto place = [&](std::int64_t position) {
    return std::clamp(position < 0 ? position + rank : position, std::int64_t{0}, rank);
  };
  const std::int64_t start = place(int_attribute(node, "start", 0));
  const std::int64_t end = std::max(start, place(int_attribute(node, "end", rank)));
  return {sizes.begin() + start, sizes.begin() + end};
}

}  // namespace assay::model
