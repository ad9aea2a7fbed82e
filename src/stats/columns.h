// Several sequences of numbers of the same length, read together block by block: for example two tensors and their
// differences, which are computed as they are read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stats/series.h"

namespace assay::stats {

inline constexpr std::size_t kMostColumns = 4;

// Real is float or double: the type in which NumPy would hold the numbers. Several threads may read at the same time.
template <class Real>
class Columns {
 public:
  virtual ~Columns() = default;
  [[nodiscard]] virtual std::size_t count() const = 0;  // at most kMostColumns
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  // Reads numbers [begin, begin + count) of every column, at most kBlock (read_block.h). out[i] is for column i and has
  // room for kSlack more.
  virtual void read(std::uint64_t begin, std::size_t count, Real* const* out) const = 0;
};

template <class Real>
class OneColumn final : public Columns<Real> {
 public:
  explicit OneColumn(const Series<Real>& series) : series_(series) {}
  [[nodiscard]] std::size_t count() const override { return 1; }
  [[nodiscard]] std::uint64_t size() const override { return series_.size(); }
  void read(std::uint64_t begin, std::size_t count, Real* const* out) const override {
    series_.read(begin, count, out[0]);
  }

 private:
  const Series<Real>& series_;
};

}  // namespace assay::stats
