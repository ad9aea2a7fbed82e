#include "stats/summary_text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace assay::stats {

std::string format_number(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{:.5g}", value);  // the sign of a NaN means nothing
}

tensor::Shape position_of(std::uint64_t position, const tensor::Shape& shape) {
  tensor::Shape indices(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    const auto extent = static_cast<std::uint64_t>(shape[axis]);
    indices[axis] = static_cast<std::int64_t>(extent == 0 ? 0 : position % extent);
    if (extent != 0) position /= extent;
  }
  return indices;
}

std::string format_position(std::uint64_t position, const tensor::Shape& shape) {
  return tensor::format_shape(position_of(position, shape));
}

std::string describe(const Summary& summary, const tensor::Shape& shape) {
  if (summary.count == 0) return "no elements";
  std::string text = fmt::format(
      "mean={}, std-dev={}, var={}, median={}, min={} at {}, max={} at {}, avg-magnitude={}",
      format_number(summary.mean), format_number(summary.std_dev), format_number(summary.variance),
      format_number(summary.median), format_number(summary.min), format_position(summary.min_at, shape),
      format_number(summary.max), format_position(summary.max_at, shape), format_number(summary.mean_magnitude));
  if (summary.has_percentiles) {
    text += fmt::format(", p90={}, p95={}, p99={}", format_number(summary.p90), format_number(summary.p95),
                        format_number(summary.p99));
  }
  return text;
}

}  // namespace assay::stats
