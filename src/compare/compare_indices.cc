// Outputs that hold indices, such as the classes of the K largest scores: each value of a row (the last axis) has to
// stand in the other run's row, at most so many places away. A value among the last so many places may be missing: the
// next one in the other run may have pushed it out.
#include <algorithm>
#include <vector>

#include "compare/compare_function.h"
#include "compare/read_block.h"
#include "compare/summary.h"

namespace assay::compare {
namespace {

std::vector<double> read_row(const tensor::Tensor& tensor, std::uint64_t begin, std::uint64_t length) {
  std::vector<double> row(length);
  for (std::uint64_t done = 0; done < length; done += kBlock) {
    read_block(tensor, begin + done, std::min<std::size_t>(kBlock, length - done), row.data() + done);
  }
  return row;
}

bool is_near(const std::vector<double>& row, std::uint64_t place, double value, std::uint64_t tolerance) {
  const std::uint64_t from = place - std::min(place, tolerance);
  const std::uint64_t to = std::min<std::uint64_t>(row.size() - 1, place + tolerance);
  return std::find(row.begin() + static_cast<std::ptrdiff_t>(from), row.begin() + static_cast<std::ptrdiff_t>(to) + 1,
                   value) != row.begin() + static_cast<std::ptrdiff_t>(to) + 1;
}

}  // namespace

Judgement compare_indices(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  const auto tolerance = static_cast<std::uint64_t>(options.index_tolerance.of(pair.name));
  const tensor::Shape& shape = pair.first().shape();
  const std::uint64_t length = shape.empty() ? 1 : static_cast<std::uint64_t>(shape.back());
  std::uint64_t wrong = 0;
  for (std::uint64_t begin = 0; length != 0 && begin < pair.first().size(); begin += length) {
    const std::vector<double> first = read_row(pair.first(), begin, length);
    const std::vector<double> second = read_row(pair.second(), begin, length);
    for (std::uint64_t i = 0; i < length; ++i) {
      if (is_near(second, i, first[i], tolerance)) continue;
      const bool missing = std::ranges::find(second, first[i]) == second.end();
      if (missing && i + tolerance >= length) continue;
      constexpr std::uint64_t kShown = 10;
      if (++wrong <= kShown) {
        log.error("        {} at {} is {} in the other run", first[i], format_position(begin + i, shape),
                  missing ? "missing" : "elsewhere");
      }
    }
  }
  log.log(wrong == 0 ? base::Level::info : base::Level::error, "        {} of {} values moved by more than {}", wrong,
          pair.first().size(), tolerance);
  return {wrong == 0};
}

}  // namespace assay::compare
