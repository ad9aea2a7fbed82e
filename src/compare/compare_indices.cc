// Compares outputs that hold indices, such as the classes of the K largest scores. Each value of a row (the last axis)
// must be in the other run's row, at most `tolerance` places away. The last `tolerance` values of a row are not judged:
// in the other run, a value further back may have pushed them out.
#include <algorithm>
#include <vector>

#include "compare/compare_function.h"
#include "stats/read_block.h"
#include "stats/summary.h"

namespace assay::compare {
namespace {

template <class Number>
std::vector<Number> read_row(const tensor::Tensor& tensor, std::uint64_t begin, std::uint64_t length) {
  std::vector<Number> row(length);
  for (std::uint64_t done = 0; done < length; done += stats::kBlock) {
    stats::read_block(tensor, begin + done, std::min<std::size_t>(stats::kBlock, length - done), row.data() + done);
  }
  return row;
}

// Number: a type that represents the values of both tensors exactly.
template <class Number>
std::uint64_t count_wrong(const OutputPair& pair, std::uint64_t tolerance, base::Log& log) {
  const tensor::Shape& shape = pair.first().shape();
  const std::uint64_t length = shape.empty() ? 1 : static_cast<std::uint64_t>(shape.back());
  const std::uint64_t judged = length - std::min(length, tolerance);
  std::uint64_t wrong = 0;
  for (std::uint64_t begin = 0; length != 0 && begin < pair.first().size(); begin += length) {
    const std::vector<Number> first = read_row<Number>(pair.first(), begin, length);
    const std::vector<Number> second = read_row<Number>(pair.second(), begin, length);
    for (std::uint64_t i = 0; i < judged; ++i) {
      const auto at = static_cast<std::uint64_t>(std::ranges::find(second, first[i]) - second.begin());
      if (at < length && std::max(at, i) - std::min(at, i) <= tolerance) continue;
      constexpr std::uint64_t kShown = 10;
      if (++wrong > kShown) continue;
      log.error("        {} at {} is {} in the other run", static_cast<double>(first[i]),
                stats::format_position(begin + i, shape), at == length ? "missing" : "elsewhere");
    }
  }
  return wrong;
}

}  // namespace

Judgement compare_indices(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  const auto tolerance = static_cast<std::uint64_t>(options.of(kIndexTolerance, pair.name));
  const bool whole = !stats::is_floating(pair.first().type()) && !stats::is_floating(pair.second().type());
  const std::uint64_t wrong =
      whole ? count_wrong<__int128>(pair, tolerance, log) : count_wrong<double>(pair, tolerance, log);
  log.log(wrong == 0 ? base::Level::info : base::Level::error, "        {} of {} values moved by more than {}", wrong,
          pair.first().size(), tolerance);
  return {wrong == 0};
}

}  // namespace assay::compare
