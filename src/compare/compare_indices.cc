// Compares outputs that hold indices, such as the classes of the K largest scores. Each value of a row (the last axis)
// must be in the other run's row, at most `tolerance` places away. A value that occurs several times needs as many
// partners: going through its positions in order and taking the first free partner that is near enough finds the
// largest number of pairs, because all reach equally far. The last `tolerance` values of a row are not judged: in the
// other run, a value further back may have pushed them out.
#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "base/counted.h"
#include "compare/compare_function.h"
#include "stats/read_block.h"
#include "stats/summary_text.h"

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

// A judged value that has no partner near enough.
struct Wrong {
  std::uint64_t position;
  bool missing;  // from the other row; else it is there, but elsewhere
};

// Sorts the positions of the first `count` elements of a row by value, those of equal values in order. NaN isn't equal
// to anything, so it is left out.
template <class Number>
std::vector<std::uint64_t> sort_by_value(const std::vector<Number>& row, std::uint64_t count) {
  std::vector<std::uint64_t> positions(count);
  std::iota(positions.begin(), positions.end(), 0);
  std::erase_if(positions, [&](std::uint64_t i) { return row[i] != row[i]; });
  std::ranges::stable_sort(positions, {}, [&](std::uint64_t i) { return row[i]; });
  return positions;
}

using Positions = std::span<const std::uint64_t>;

// Finds partners for the positions of one value in the first row among those in the second.
void pair_up(Positions first, Positions second, std::uint64_t tolerance, std::vector<Wrong>& wrong) {
  std::size_t next = 0;
  for (const std::uint64_t position : first) {
    while (next < second.size() && second[next] + tolerance < position) ++next;
    if (next < second.size() && second[next] <= position + tolerance) {
      ++next;
    } else {
      wrong.push_back({position, second.size() < first.size()});
    }
  }
}

// Returns the wrong positions among the first `judged` ones, in order.
template <class Number>
std::vector<Wrong> compare_rows(const std::vector<Number>& first, const std::vector<Number>& second,
                                std::uint64_t judged, std::uint64_t tolerance) {
  std::vector<Wrong> wrong;
  if (first == second) return wrong;
  for (std::uint64_t i = 0; i < judged; ++i) {
    if (first[i] != first[i]) wrong.push_back({i, true});
  }
  const std::vector<std::uint64_t> ours = sort_by_value(first, judged);
  const std::vector<std::uint64_t> theirs = sort_by_value(second, second.size());
  for (std::size_t i = 0, end = 0; i < ours.size(); i = end) {
    const Number value = first[ours[i]];
    while (end < ours.size() && first[ours[end]] == value) ++end;
    const auto same = std::ranges::equal_range(theirs, value, {}, [&](std::uint64_t at) { return second[at]; });
    pair_up(Positions(ours).subspan(i, end - i), same, tolerance, wrong);
  }
  std::ranges::sort(wrong, {}, &Wrong::position);
  return wrong;
}

// Replaces NaNs that both rows have in the same place by a number.
template <class Number>
void make_nans_equal(std::vector<Number>& first, std::vector<Number>& second) {
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] != first[i] && second[i] != second[i]) first[i] = second[i] = std::numeric_limits<Number>::max();
  }
}

// Number: a type that represents the values of both tensors exactly.
template <class Number>
std::uint64_t count_wrong(const OutputPair& pair, std::uint64_t tolerance, base::Log& log) {
  constexpr std::uint64_t kShown = 10;
  const tensor::Shape& shape = pair.first().shape();
  const std::uint64_t length = shape.empty() ? 1 : static_cast<std::uint64_t>(shape.back());
  std::uint64_t count = 0;
  for (std::uint64_t begin = 0; length != 0 && begin < pair.first().size(); begin += length) {
    std::vector<Number> first = read_row<Number>(pair.first(), begin, length);
    std::vector<Number> second = read_row<Number>(pair.second(), begin, length);
    if (pair.facts.equal_specials().nans) make_nans_equal(first, second);
    for (const Wrong& wrong : compare_rows(first, second, length - std::min(length, tolerance), tolerance)) {
      if (++count > kShown) continue;
      log.error("        {} at {} is {} in the other run", static_cast<double>(first[wrong.position]),
                stats::format_position(begin + wrong.position, shape), wrong.missing ? "missing" : "elsewhere");
    }
  }
  return count;
}

}  // namespace

Judgement compare_indices(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  const auto tolerance = static_cast<std::uint64_t>(options.of(kIndexTolerance, pair.name));
  const tensor::Shape& shape = pair.first().shape();
  const auto length = shape.empty() ? 1 : static_cast<std::uint64_t>(shape.back());
  if (tolerance >= length && length > 0) {
    log.warning("        No value was judged: the rows have {}, and --index-tolerance is {}",
                base::counted(length, "value"), tolerance);
  }
  const bool whole = !stats::is_floating(pair.first().type()) && !stats::is_floating(pair.second().type());
  const std::uint64_t wrong =
      whole ? count_wrong<__int128>(pair, tolerance, log) : count_wrong<double>(pair, tolerance, log);
  log.log(wrong == 0 ? base::Level::info : base::Level::error, "        {} of {} values moved by more than {}", wrong,
          pair.first().size(), tolerance);
  return {wrong == 0};
}

}  // namespace assay::compare
