#include "run/take_top.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/strings.h"
#include "stats/read_block.h"

namespace assay::run {
namespace {

using base::ErrorKind;
using tensor::Tensor;

bool read_integer(std::string_view text, std::int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

// Larger first; NaN is smaller than everything.
bool before(double a, double b) {
  return a > b || (!std::isnan(a) && std::isnan(b));
}
bool before(__int128 a, __int128 b) {
  return a > b;
}

// A tensor as rows along an axis: `outer` times `inner` rows, each with its elements `inner` apart.
struct Rows {
  std::uint64_t outer = 1;
  std::uint64_t length = 0;
  std::uint64_t inner = 1;
};

// Returns the indices of the `count` largest numbers of each row. Number: a type that holds every value exactly.
template <class Number>
std::vector<std::int64_t> places_of_largest(const Tensor& tensor, const Rows& rows, std::uint64_t count) {
  std::vector<std::int64_t> places(rows.outer * count * rows.inner);
  std::vector<Number> row(rows.length);
  std::vector<std::int64_t> order(rows.length);
  for (std::uint64_t o = 0; o < rows.outer; ++o) {
    for (std::uint64_t i = 0; i < rows.inner; ++i) {
      for (std::uint64_t k = 0; k < rows.length; ++k) {
        stats::read_block(tensor, (o * rows.length + k) * rows.inner + i, 1, &row[k]);
      }
      std::iota(order.begin(), order.end(), 0);
      std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) {
        return before(row[static_cast<std::size_t>(a)], row[static_cast<std::size_t>(b)]);
      });
      for (std::uint64_t k = 0; k < count; ++k) places[(o * count + k) * rows.inner + i] = order[k];
    }
  }
  return places;
}

}  // namespace

base::Expected<TopOptions> parse_top(const std::string& text) {
  constexpr std::string_view kTop = "top-";
  constexpr std::string_view kAxis = "axis=";
  TopOptions options;
  const std::vector<std::string> parts = base::split(text, ',');
  bool valid = parts.size() <= 2 && parts[0].starts_with(kTop) &&
               read_integer(std::string_view(parts[0]).substr(kTop.size()), options.count) && options.count >= 0;
  if (valid && parts.size() == 2) {
    valid = parts[1].starts_with(kAxis) && read_integer(std::string_view(parts[1]).substr(kAxis.size()), options.axis);
  }
  if (valid) return options;
  return base::fail(ErrorKind::invalid_input, "'" + text + "' is not a known postprocessing option", "--postprocess",
                    "Write top-K or top-K,axis=A, e.g. top-5");
}

base::Expected<Tensor> take_top(const Tensor& tensor, const TopOptions& options) {
  if (options.count == 0) return tensor;
  if (!stats::is_numeric(tensor.type())) {
    return base::fail(ErrorKind::unsupported, fmt::format("{} can't be sorted", tensor.describe()), "--postprocess",
                      "Name the numeric outputs to apply it to: output:top-K");
  }
  const auto rank = static_cast<std::int64_t>(tensor.shape().size());
  const std::int64_t axis = options.axis < 0 ? options.axis + rank : options.axis;
  if (axis < 0 || axis >= rank) {
    return base::fail(ErrorKind::invalid_input, fmt::format("{} has no axis {}", tensor.describe(), options.axis),
                      "--postprocess", "Choose an axis that the output has");
  }
  Rows rows;
  for (std::int64_t i = 0; i < rank; ++i) {
    const auto extent = static_cast<std::uint64_t>(tensor.shape()[static_cast<std::size_t>(i)]);
    if (i != axis) (i < axis ? rows.outer : rows.inner) *= extent;
    if (i == axis) rows.length = extent;
  }
  const std::uint64_t count = std::min(rows.length, static_cast<std::uint64_t>(options.count));
  tensor::Shape shape = tensor.shape();
  shape[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(count);
  return Tensor::of(tensor::ElementType::int64, std::move(shape),
                    stats::is_floating(tensor.type()) ? places_of_largest<double>(tensor, rows, count)
                                                      : places_of_largest<__int128>(tensor, rows, count));
}

}  // namespace assay::run
