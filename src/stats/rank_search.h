// Finds the k-th smallest of very many numbers in a few passes over them, keeping nearly none: each pass looks at the
// numbers between two bounds, which close in on the one that is looked for.
//
// A bound that comes from a sample leaves few percent of the numbers between, so that two passes do: one counts these
// into bins, one keeps the few in the right bin. Where a sample misleads, the search goes on with what is certain, and
// ends after at most eight passes. A number that occurs very often ends up as a bound, and is counted as such.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "stats/block_kernels.h"

namespace assay::stats {

template <class Real>
class RankSearch {
 public:
  // `ranks`: each below the number of elements, in any order. `sample`: numbers of the series, taken at random; may be
  // empty. No number may be NaN: then nothing that is found means anything, but the search still ends.
  RankSearch(std::uint64_t elements, std::span<const std::uint64_t> ranks, std::vector<Real> sample);

  [[nodiscard]] bool done() const { return ranges_.empty(); }

  // What one thread has seen in a pass. Add every block of numbers to one of them.
  class Tally {
   public:
    explicit Tally(const RankSearch& search);
    void add(const Real* x, std::size_t count, const BlockKernels<Real>& kernels);

   private:
    friend class RankSearch;
    struct Bin {
      std::uint64_t count = 0;
      std::int64_t least = std::numeric_limits<std::int64_t>::max();  // keys: a number that occurs often is alone here
      std::int64_t most = std::numeric_limits<std::int64_t>::min();
      void add(const Bin& other) {
        count += other.count;
        least = std::min(least, other.least);
        most = std::max(most, other.most);
      }
    };
    struct Seen {
      std::uint64_t low = 0;     // BlockSplit::low; not counted where numbers are kept
      std::uint64_t inside = 0;  // likewise
      std::vector<Bin> bins;
      std::vector<Real> kept;
    };
    const RankSearch& search_;
    std::vector<Seen> seen_;  // one a range
    std::vector<Real> inside_;
  };
  // After a pass over all numbers.
  void learn(std::span<Tally> tallies);

  // The numbers at the ranks, in the order in which these were given. Only when done.
  [[nodiscard]] std::vector<Real> found() const;

 private:
  // Numbers as integers that have their order; 0 and -0 are one.
  using Key = std::int64_t;
  static Key to_key(Real value);
  static Real from_key(Key key);

  enum class Mode { count, bins, keep };
  struct Range {  // low < x < high; or, to see whether it is just that number, low == high
    Key low, high;
    Mode mode;
    std::uint64_t below;  // elements that are <= low, for Mode::keep
    [[nodiscard]] unsigned shift() const;
    friend bool operator==(const Range&, const Range&) = default;
  };
  struct Target {
    std::uint64_t rank;
    Key least, most;  // what it can be
    bool known = false;
    std::size_t range = 0;
  };

  void look_at(Target& target, Range range);
  void look_at_all(Target& target);
  void settle(Target& target);
  void learn(Target& target, const Range& range, const typename Tally::Seen& seen);
  void learn_from_bins(Target& target, const typename Tally::Seen& seen);
  void sort_out(Tally& all) const;
  void bracket(std::vector<Real>& sample);

  std::uint64_t elements_;
  std::vector<Target> targets_;  // in the order of the ranks that were given
  std::vector<Range> ranges_;    // of the pass to come
};

}  // namespace assay::stats
