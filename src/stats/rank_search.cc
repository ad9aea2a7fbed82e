#include "stats/rank_search.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace assay::stats {
namespace {

constexpr std::uint64_t kBins = 2048;
constexpr std::uint64_t kKept = 1 << 14;     // a bin with so few numbers is kept and searched in memory
constexpr std::uint64_t kAllKept = 1 << 15;  // so is the whole of a short series

template <class Real>
constexpr std::int64_t kLargestKey = sizeof(Real) == 4 ? 0x7f800000 : 0x7ff0000000000000;  // the key of infinity

}  // namespace

template <class Real>
typename RankSearch<Real>::Key RankSearch<Real>::to_key(Real value) {
  using Bits = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
  const auto bits = std::bit_cast<Bits>(value);
  return bits >= 0 ? Key{bits} : -Key{bits & std::numeric_limits<Bits>::max()};
}

template <class Real>
Real RankSearch<Real>::from_key(Key key) {
  using Bits = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
  const auto magnitude = std::bit_cast<Real>(static_cast<Bits>(std::abs(key)));
  return key < 0 ? -magnitude : magnitude;
}

template <class Real>
unsigned RankSearch<Real>::Range::shift() const {
  const auto width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) - 1;
  return static_cast<unsigned>(std::max(0, static_cast<int>(std::bit_width(width)) - 11));
}

template <class Real>
RankSearch<Real>::RankSearch(std::uint64_t elements, std::span<const std::uint64_t> ranks, std::vector<Real> sample)
    : elements_(elements) {
  for (const std::uint64_t rank : ranks) {
    assert(rank < elements);
    targets_.push_back({rank, -kLargestKey<Real>, kLargestKey<Real>});
  }
  std::erase_if(sample, [](Real value) { return std::isnan(value); });
  if (elements <= kAllKept || sample.empty()) {
    for (Target& target : targets_) search_everywhere(target);
  } else {
    bracket(sample);
  }
}

// Takes bounds from the sample around each rank, far enough apart that the wanted number is hardly ever outside.
template <class Real>
void RankSearch<Real>::bracket(std::vector<Real>& sample) {
  const auto size = static_cast<double>(sample.size());
  std::vector<std::size_t> places;
  for (const Target& target : targets_) {
    const double share = (static_cast<double>(target.rank) + 0.5) / static_cast<double>(elements_);
    const double deviation = std::sqrt(size * share * (1 - share));
    const double place = share * size;
    for (const double side : {place - 5 * deviation - 2, place + 5 * deviation + 2}) {
      places.push_back(static_cast<std::size_t>(std::clamp(side, 0.0, size - 1)));
    }
  }
  std::vector<std::size_t> rising = places;
  std::ranges::sort(rising);
  auto begin = sample.begin();
  for (const std::size_t place : rising) {
    const auto at = sample.begin() + static_cast<std::ptrdiff_t>(place);
    if (at < begin) continue;  // the same place again
    std::nth_element(begin, at, sample.end());
    begin = at + 1;
  }
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    // At its ends, the sample says nothing about what is beyond them.
    const bool open_below = places[2 * i] == 0;
    const bool open_above = places[2 * i + 1] + 1 == sample.size();
    const Key low = open_below ? -kLargestKey<Real> : to_key(sample[places[2 * i]]);
    const Key high = open_above ? kLargestKey<Real> : to_key(sample[places[2 * i + 1]]);
    search_in(targets_[i], {low, high, low == high ? Mode::count : Mode::bins, 0});
  }
}

template <class Real>
void RankSearch<Real>::search_in(Target& target, Range range) {
  const auto at = std::ranges::find(ranges_, range);
  target.range = static_cast<std::size_t>(at - ranges_.begin());
  if (at == ranges_.end()) ranges_.push_back(range);
}

// Searches in everything that is still possible. Bounds aren't part of their range, but nothing is outside infinity, so
// numbers equal to such a bound are recognised by their count.
template <class Real>
void RankSearch<Real>::search_everywhere(Target& target) {
  const Key low = std::max(target.least - 1, -kLargestKey<Real>);
  const Key high = std::min(target.most + 1, kLargestKey<Real>);
  search_in(target, {low, high, elements_ <= kAllKept ? Mode::keep : Mode::bins, 0});
}

template <class Real>
void RankSearch<Real>::settle(Target& target) {
  target.known = target.least >= target.most;
}

template <class Real>
RankSearch<Real>::Tally::Tally(const RankSearch& search) : search_(search), seen_(search.ranges_.size()) {
  inside_.resize(kBlock);
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    if (search.ranges_[i].mode == Mode::bins) seen_[i].bins.resize(kBins);
  }
}

template <class Real>
void RankSearch<Real>::Tally::add(const Real* x, std::size_t count, const BlockKernels<Real>& kernels) {
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const Range& range = search_.ranges_[i];
    Seen& seen = seen_[i];
    const Real low = from_key(range.low);
    const Real high = from_key(range.high);
    if (range.mode == Mode::keep && search_.elements_ > kAllKept) {
      const std::size_t inside = kernels.collect(x, count, low, high, inside_.data());
      seen.kept.insert(seen.kept.end(), inside_.data(), inside_.data() + inside);
      continue;
    }
    const BlockSplit split = kernels.split(x, count, low, high, range.mode == Mode::count ? nullptr : inside_.data());
    seen.low += split.low;
    seen.inside += split.inside;
    if (range.mode == Mode::keep) {
      seen.kept.insert(seen.kept.end(), inside_.data(), inside_.data() + split.inside);
    } else if (range.mode == Mode::bins) {
      const unsigned shift = range.shift();
      const std::uint64_t first = static_cast<std::uint64_t>(range.low) + 1;  // keys can be 2^64 apart
      for (std::size_t k = 0; k < split.inside; ++k) {
        const Key key = to_key(inside_[k]);
        Bin& bin = seen.bins[(static_cast<std::uint64_t>(key) - first) >> shift];
        ++bin.count;
        bin.least = std::min(bin.least, key);
        bin.most = std::max(bin.most, key);
      }
    }
  }
}

template <class Real>
void RankSearch<Real>::learn_from_bins(Target& target, const typename Tally::Seen& seen) {
  std::uint64_t below = seen.low;
  std::size_t bin = 0;
  while (target.rank >= below + seen.bins[bin].count) below += seen.bins[bin++].count;
  target.least = seen.bins[bin].least;
  target.most = seen.bins[bin].most;
  settle(target);
  if (target.known) return;
  const Mode mode = seen.bins[bin].count <= kKept ? Mode::keep : Mode::bins;
  search_in(target, {target.least - 1, target.most + 1, mode, below});
}

template <class Real>
void RankSearch<Real>::learn(Target& target, const Range& range, const typename Tally::Seen& seen) {
  if (range.mode == Mode::keep && elements_ > kAllKept) {
    target.least = target.most = to_key(seen.kept[target.rank - range.below]);
    return settle(target);
  }
  const bool below = target.rank < seen.low;
  const bool inside = !below && target.rank < seen.low + seen.inside;
  if (inside && range.mode == Mode::bins) return learn_from_bins(target, seen);
  if (inside) {
    target.least = target.most = range.mode == Mode::count ? range.low : to_key(seen.kept[target.rank - seen.low]);
  } else if (range.low == range.high) {  // it isn't this number
    (below ? target.most : target.least) = below ? range.low - 1 : range.high + 1;
  } else {
    (below ? target.most : target.least) = below ? range.low : range.high;
  }
  settle(target);
  if (target.known) return;
  // Outside the bracket: most likely the bound itself, which then occurs often.
  if (range.low == range.high) return search_everywhere(target);
  const Key bound = below ? range.low : range.high;
  search_in(target, {bound, bound, Mode::count, 0});
}

// Moves the wanted numbers among the kept ones to their sorted positions.
template <class Real>
void RankSearch<Real>::sort_kept(Tally& all) const {
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    typename Tally::Seen& seen = all.seen_[i];
    if (ranges_[i].mode != Mode::keep) continue;
    const std::uint64_t below = elements_ > kAllKept ? ranges_[i].below : seen.low;
    std::vector<std::uint64_t> places;
    for (const Target& target : targets_) {
      if (target.known || target.range != i || target.rank < below) continue;
      if (target.rank - below < seen.kept.size()) places.push_back(target.rank - below);
    }
    std::ranges::sort(places);
    auto begin = seen.kept.begin();
    for (const std::uint64_t place : places) {
      const auto at = seen.kept.begin() + static_cast<std::ptrdiff_t>(place);
      if (at < begin) continue;  // the same place again
      std::nth_element(begin, at, seen.kept.end());
      begin = at + 1;
    }
  }
}

template <class Real>
void RankSearch<Real>::learn(std::span<Tally> tallies) {
  Tally& all = tallies.front();
  for (Tally& tally : tallies.subspan(1)) {
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      typename Tally::Seen& seen = all.seen_[i];
      const typename Tally::Seen& more = tally.seen_[i];
      seen.low += more.low;
      seen.inside += more.inside;
      for (std::size_t bin = 0; bin < seen.bins.size(); ++bin) seen.bins[bin].add(more.bins[bin]);
      seen.kept.insert(seen.kept.end(), more.kept.begin(), more.kept.end());
    }
  }
  sort_kept(all);
  const std::vector<Range> ranges = std::exchange(ranges_, {});
  for (Target& target : targets_) {
    if (!target.known) learn(target, ranges[target.range], all.seen_[target.range]);
  }
}

template <class Real>
std::vector<Real> RankSearch<Real>::found() const {
  std::vector<Real> values;
  for (const Target& target : targets_) values.push_back(from_key(target.least));
  return values;
}

template class RankSearch<float>;
template class RankSearch<double>;

}  // namespace assay::stats
