// Rows of the second run are sorted by one column, so that each row of the first has few possible partners: those whose
// value in this column is near enough. Taking the first free partner finds at most as many pairs as there are, so the
// number of moved rows is never too large.
#include "compare/moved_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "base/counted.h"
#include "stats/read_block.h"

namespace assay::compare {
namespace {

constexpr std::uint64_t kMostElements = 1 << 17;
constexpr std::uint64_t kMostComparisons = 1 << 24;  // of elements, a fraction of a second

using Row = std::span<const double>;

class Rows {
 public:
  explicit Rows(const tensor::Tensor& tensor)
      : values_(tensor.size()), length_(static_cast<std::size_t>(tensor.shape().back())) {
    for (std::uint64_t at = 0; at < values_.size(); at += stats::kBlock) {
      stats::read_block(tensor, at, std::min<std::size_t>(stats::kBlock, values_.size() - at), values_.data() + at);
    }
  }
  [[nodiscard]] std::size_t count() const { return values_.size() / length_; }
  [[nodiscard]] std::size_t length() const { return length_; }
  [[nodiscard]] Row operator[](std::size_t row) const { return Row(values_).subspan(row * length_, length_); }

 private:
  std::vector<double> values_;
  std::size_t length_;
};

// Returns whether a row of `simple` would pass.
class Agreement {
 public:
  Agreement(const Tolerances& tolerances, stats::EqualSpecials equal) : tolerances_(tolerances), equal_(equal) {}

  [[nodiscard]] bool operator()(Row first, Row second) const {
    return std::ranges::equal(first, second, [this](double a, double b) { return agree(a, b); });
  }
  [[nodiscard]] bool agree(double a, double b) const {
    if (std::isnan(a) || std::isnan(b)) return equal_.nans && std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b)) return equal_.infinities && a == b;
    const double error = std::abs(a - b);
    return error <= tolerances_.absolute || error <= tolerances_.relative * std::abs(b);
  }
  // Returns how far a value that agrees with `a` can be away from it, at most. There must be such a limit.
  [[nodiscard]] double reach(double a) const {
    return std::max(tolerances_.absolute, 2 * tolerances_.relative * std::abs(a));
  }
  // Returns false if values that agree can be arbitrarily far away.
  [[nodiscard]] bool has_reach() const { return tolerances_.relative <= 0.5; }

 private:
  Tolerances tolerances_;
  stats::EqualSpecials equal_;
};

bool have_rows(const tensor::Tensor& first, const tensor::Tensor& second) {
  if (!stats::is_numeric(first.type()) || !stats::is_numeric(second.type())) return false;
  const tensor::Shape &one = first.shape(), &other = second.shape();
  if (one.size() < 2 || one.size() != other.size() || one.back() < 2 || one.back() != other.back()) return false;
  std::size_t different = 0;
  for (std::size_t axis = 0; axis + 1 < one.size(); ++axis) different += one[axis] == other[axis] ? 0 : 1;
  return different <= 1 && first.size() > 0 && second.size() > 0 && first.size() <= kMostElements &&
         second.size() <= kMostElements;
}

// Returns the column with the most different values, which leaves the fewest possible partners.
std::size_t best_column(const Rows& rows, const std::vector<std::size_t>& chosen) {
  std::size_t best = 0;
  std::size_t most = 0;
  for (std::size_t column = 0; column < rows.length(); ++column) {
    std::vector<double> values;
    for (const std::size_t row : chosen) values.push_back(rows[row][column]);
    std::erase_if(values, [](double value) { return std::isnan(value); });
    std::ranges::sort(values);
    const auto count = static_cast<std::size_t>(std::ranges::unique(values).begin() - values.begin());
    if (count > most) {
      best = column;
      most = count;
    }
  }
  return best;
}

// Rows of one value, such as padding, have partners by chance.
bool is_constant(Row row) {
  return std::ranges::all_of(row, [&](double value) { return value == row.front(); });
}

// Returns how many of the chosen rows have a partner among those of the second run, or nullopt if that takes too long.
std::optional<std::uint64_t> count_partners(const Rows& first, const std::vector<std::size_t>& ours, const Rows& second,
                                            std::vector<std::size_t> theirs, const Agreement& agree) {
  const std::size_t column = best_column(second, theirs);
  // A row with NaN in this column comes last, and finds no partner.
  std::ranges::stable_sort(theirs, [&](std::size_t a, std::size_t b) {
    const double one = second[a][column];
    const double other = second[b][column];
    return std::isnan(other) ? !std::isnan(one) : one < other;
  });
  const auto end = std::ranges::find_if(theirs, [&](std::size_t row) { return std::isnan(second[row][column]); });
  std::vector<bool> taken(theirs.size());
  std::uint64_t partners = 0;
  std::uint64_t comparisons = 0;
  for (const std::size_t row : ours) {
    const double value = first[row][column];
    if (!std::isfinite(value) || is_constant(first[row])) continue;
    const auto least = std::lower_bound(theirs.begin(), end, value - agree.reach(value),
                                        [&](std::size_t at, double limit) { return second[at][column] < limit; });
    for (auto at = least; at != end && second[*at][column] <= value + agree.reach(value); ++at) {
      const auto position = static_cast<std::size_t>(at - theirs.begin());
      if (++comparisons * first.length() > kMostComparisons) return std::nullopt;
      if (taken[position] || !agree(first[row], second[*at])) continue;
      taken[position] = true;
      ++partners;
      break;
    }
  }
  return partners;
}

}  // namespace

std::optional<MovedRows> find_moved_rows(const tensor::Tensor& first, const tensor::Tensor& second,
                                         const Tolerances& tolerances, stats::EqualSpecials equal) {
  const Agreement agree(tolerances, equal);
  if (!have_rows(first, second) || !agree.has_reach()) return std::nullopt;
  const Rows one(first);
  const Rows other(second);
  std::vector<std::size_t> ours(one.count());
  std::iota(ours.begin(), ours.end(), std::size_t{0});
  std::vector<std::size_t> theirs(other.count());
  std::iota(theirs.begin(), theirs.end(), std::size_t{0});
  if (first.shape() == second.shape()) {
    std::erase_if(ours, [&](std::size_t row) { return agree(one[row], other[row]); });
    theirs = ours;
  }
  const auto partners = count_partners(one, ours, other, theirs, agree);
  if (!partners) return std::nullopt;
  return MovedRows{.differing = ours.size(), .moved = *partners};
}

std::string describe_moved_rows(const tensor::Tensor& first, const tensor::Tensor& second, const Tolerances& tolerances,
                                stats::EqualSpecials equal) {
  const auto rows = find_moved_rows(first, second, tolerances, equal);
  if (!rows || rows->moved < 2 || 2 * rows->moved < rows->differing) return {};
  const bool have_places = first.shape() == second.shape();
  const std::string which = have_places ? fmt::format("the {}", base::counted(rows->differing, "differing row"))
                                        : base::counted(rows->differing, "row");
  return fmt::format(
      "{} of {} agree with {} row of the other run. TopK and NonMaxSuppression choose other rows, or another order, if "
      "scores differ slightly",
      rows->moved, which, have_places ? "another" : "a");
}

}  // namespace assay::compare
