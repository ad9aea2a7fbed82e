// Finds the k-th smallest of very many numbers in a few passes over them, storing hardly any: each pass looks at the
// numbers between two bounds, which close in on the wanted one.
// Bounds taken from a sample leave a few percent of the numbers between them, so two passes are enough: one counts
// these numbers into bins, one keeps the few in the right bin. If the sample misleads, the search continues with what
// is certain, and ends after at most eight passes. A number that occurs very often ends up as a bound, and is counted
// as such.
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
  // `ranks`: each below the number of elements, in any order. `sample`: numbers drawn from the series at random; may be
  // empty. If the series holds a NaN, the result is meaningless, but the search still ends.
  RankSearch(std::uint64_t elements, std::span<const std::uint64_t> ranks, std::vector<Real> sample);

  [[nodiscard]] bool done() const { return ranges_.empty(); }

  // One thread's observations in a pass. Each block of numbers must be added to exactly one tally.
  class Tally {
   public:
    explicit Tally(const RankSearch& search);
    void add(const Real* x, std::size_t count, const BlockKernels<Real>& kernels);

   private:
    friend class RankSearch;
    struct Bin {
      std::uint64_t count = 0;
      std::int64_t least = std::numeric_limits<std::int64_t>::max();  // keys; equal if the bin holds only one number,
                                                                      // however often it occurs
      std::int64_t most = std::numeric_limits<std::int64_t>::min();
      void add(const Bin& other) {
        count += other.count;
        least = std::min(least, other.least);
        most = std::max(most, other.most);
      }
    };
    struct Seen {
      std::uint64_t low = 0;     // BlockSplit::low; not counted in later passes that keep numbers
      std::uint64_t inside = 0;  // likewise
      std::vector<Bin> bins;
      std::vector<Real> kept;
    };
    const RankSearch& search_;
    std::vector<Seen> seen_;  // one for each range
    std::vector<Real> inside_;
  };
  // Call after each pass over all numbers.
  void learn(std::span<Tally> tallies);

  // Returns the numbers at the ranks, in the order in which these were given. Call only when done.
  [[nodiscard]] std::vector<Real> found() const;

 private:
  // Numbers mapped to integers of the same order; 0 and -0 map to the same one.
  using Key = std::int64_t;
  static Key to_key(Real value);
  static Real from_key(Key key);

  enum class Mode { count, bins, keep };
  struct Range {  // low < x < high; if low == high, tests for exactly that number
    Key low, high;
    Mode mode;
    std::uint64_t below;  // elements <= low; used by Mode::keep
    [[nodiscard]] unsigned shift() const;
    friend bool operator==(const Range&, const Range&) = default;
  };
  struct Target {
    std::uint64_t rank;
    Key least, most;  // range of possible values
    bool known = false;
    std::size_t range = 0;
  };

  void search_in(Target& target, Range range);
  void search_everywhere(Target& target);
  void settle(Target& target);
  void learn(Target& target, const Range& range, const typename Tally::Seen& seen);
  void learn_from_bins(Target& target, const typename Tally::Seen& seen);
  void sort_kept(Tally& all) const;
  void bracket(std::vector<Real>& sample);

  std::uint64_t elements_;
  std::vector<Target> targets_;  // in the order of the given ranks
  std::vector<Range> ranges_;    // to search in the next pass
};

}  // namespace assay::stats
