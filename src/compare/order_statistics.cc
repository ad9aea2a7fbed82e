// A radix search: the bits of a float, turned so that they sort as unsigned integers do, are fixed 16 at a time. One
// pass counts how many numbers have each value of the next 16 bits among those whose bits so far are the right ones;
// the rank tells which value to go on with. Few numbers are simply sorted.
#include "compare/order_statistics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>

#include "compare/read_block.h"

namespace assay::compare {
namespace {

constexpr unsigned kDigitBits = 16;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
constexpr std::uint64_t kCopied = 1 << 22;  // up to so many numbers are copied

template <class Real>
using Key = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;

// -0 and 0 are equal numbers and different keys; which of them is taken matters to nobody.
template <class Real>
Key<Real> to_key(Real value) {
  constexpr unsigned kSign = sizeof(Real) * 8 - 1;
  const auto bits = std::bit_cast<Key<Real>>(value);
  const auto mask = static_cast<Key<Real>>((bits >> kSign) != 0 ? ~Key<Real>{0} : Key<Real>{1} << kSign);
  return bits ^ mask;
}

template <class Real>
Real from_key(Key<Real> key) {
  constexpr unsigned kSign = sizeof(Real) * 8 - 1;
  const auto mask = static_cast<Key<Real>>((key >> kSign) != 0 ? Key<Real>{1} << kSign : ~Key<Real>{0});
  return std::bit_cast<Real>(static_cast<Key<Real>>(key ^ mask));
}

template <class Real, class Visit>
void for_each_block(const Series<Real>& series, const Visit& visit) {
  std::array<Real, kBlock> block;
  for (std::uint64_t begin = 0; begin < series.size(); begin += kBlock) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, series.size() - begin));
    series.read(begin, count, block.data());
    visit(std::span(block).first(count));
  }
}

// A number that is looked for: its leading bits as far as they are known, and its rank among the numbers that have
// them.
template <class Real>
struct Search {
  Key<Real> prefix = 0;
  std::uint64_t rank = 0;
};

// How many numbers have each value of a digit, for a few prefixes. Prefixes are found by their last digit, so that the
// many numbers that have none of them cost one look.
template <class Real>
class Histograms {
 public:
  explicit Histograms(const std::vector<Search<Real>>& searches) : slots_(kDigits, 0) {
    for (const Search<Real>& search : searches) {
      if (std::ranges::find(prefixes_, search.prefix) != prefixes_.end()) continue;
      prefixes_.push_back(search.prefix);
      counts_.emplace_back(kDigits, 0);
      slots_[search.prefix & (kDigits - 1)] = 1;
    }
  }
  void count(Key<Real> prefix, std::size_t digit) {
    if (slots_[prefix & (kDigits - 1)] == 0) return;
    for (std::size_t i = 0; i < prefixes_.size(); ++i) {
      if (prefixes_[i] != prefix) continue;
      ++counts_[i][digit];
      return;
    }
  }
  [[nodiscard]] const std::vector<std::uint64_t>& of(Key<Real> prefix) const {
    return counts_[static_cast<std::size_t>(std::ranges::find(prefixes_, prefix) - prefixes_.begin())];
  }

 private:
  std::vector<std::uint8_t> slots_;  // by the last digit of a prefix: whether there is one
  std::vector<Key<Real>> prefixes_;
  std::vector<std::vector<std::uint64_t>> counts_;  // of each prefix, by digit
};

template <class Real>
std::vector<Real> select_in_copy(const Series<Real>& series, std::span<const std::uint64_t> ranks) {
  std::vector<Real> values;
  values.reserve(series.size());
  for_each_block(series, [&](std::span<const Real> block) { values.insert(values.end(), block.begin(), block.end()); });
  // In rising order, each selection has only to look at what is behind the one before.
  std::vector<std::uint64_t> rising(ranks.begin(), ranks.end());
  std::ranges::sort(rising);
  auto begin = values.begin();
  for (const std::uint64_t rank : rising) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank);
    if (place < begin) continue;  // the same rank again
    std::nth_element(begin, place, values.end());
    begin = place + 1;
  }
  std::vector<Real> found;
  for (const std::uint64_t rank : ranks) found.push_back(values[rank]);
  return found;
}

template <class Real>
Histograms<Real> count_digits(const Series<Real>& series, const std::vector<Search<Real>>& searches, unsigned shift) {
  Histograms<Real> histograms(searches);
  constexpr unsigned kTop = sizeof(Real) * 8 - kDigitBits;
  for_each_block(series, [&](std::span<const Real> block) {
    for (const Real value : block) {
      const Key<Real> key = to_key(value);
      // Shifting by all bits is undefined; the prefix of the top digit is empty.
      const Key<Real> prefix = shift == kTop ? Key<Real>{0} : key >> (shift + kDigitBits);
      histograms.count(prefix, (key >> shift) & (kDigits - 1));
    }
  });
  return histograms;
}

}  // namespace

template <class Real>
std::vector<Real> values_at_ranks(const Series<Real>& series, std::span<const std::uint64_t> ranks) {
  if (series.size() <= kCopied) return select_in_copy(series, ranks);
  std::vector<Search<Real>> searches;
  for (const std::uint64_t rank : ranks) searches.push_back({0, rank});
  for (unsigned shift = sizeof(Real) * 8; shift > 0;) {
    shift -= kDigitBits;
    const Histograms<Real> histograms = count_digits(series, searches, shift);
    for (Search<Real>& search : searches) {
      const std::vector<std::uint64_t>& counts = histograms.of(search.prefix);
      std::size_t digit = 0;
      while (search.rank >= counts[digit]) search.rank -= counts[digit++];
      search.prefix = static_cast<Key<Real>>((search.prefix << kDigitBits) | digit);
    }
  }
  std::vector<Real> found;
  for (const Search<Real>& search : searches) found.push_back(from_key<Real>(search.prefix));
  return found;
}

template std::vector<float> values_at_ranks(const Series<float>&, std::span<const std::uint64_t>);
template std::vector<double> values_at_ranks(const Series<double>&, std::span<const std::uint64_t>);

}  // namespace assay::compare
