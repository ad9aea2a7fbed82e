// Measurements of a pair of outputs, each computed once on demand and shared by all comparison functions and the log.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "stats/differences.h"
#include "stats/equal_specials.h"
#include "stats/measure.h"
#include "stats/summary.h"
#include "tensor/tensor.h"

namespace assay::compare {

// Summaries of the tensors and of their differences.
struct PairSummaries {
  stats::Summary first;
  stats::Summary second;
  stats::Summary absolute;
  stats::Summary relative;
};

struct Tolerances {
  double absolute = 0;
  double relative = 0;
  friend bool operator==(const Tolerances&, const Tolerances&) = default;
};

// The elements that differ by more than the tolerances.
struct WrongElements {
  std::uint64_t count = 0;
  std::uint64_t worst = 0;  // position of the largest absolute error, or of the first NaN
  double worst_error = -1;
  double worst_relative = 0;
};

class PairFacts {
 public:
  // `first` and `second`: numeric (is_numeric), of the same shape.
  PairFacts(tensor::Tensor first, tensor::Tensor second, stats::EqualSpecials equal)
      : first_(std::move(first)), second_(std::move(second)), specials_(equal) {}

  [[nodiscard]] const tensor::Tensor& first() const { return first_; }
  [[nodiscard]] const tensor::Tensor& second() const { return second_; }

  [[nodiscard]] stats::EqualSpecials equal_specials() const { return specials_; }

  // Returns stats::surely_equal().
  bool equal();
  // Summarises both tensors and their differences in as few passes as possible. If `wrong_by` is given, the first call
  // also counts the wrong elements, which saves wrong_elements() a pass.
  const PairSummaries& summaries(const std::optional<Tolerances>& wrong_by = std::nullopt);
  // Returns the histograms of the four columns of summaries() as text, in that order. Those of the two tensors have the
  // same bins, so that they can be compared, unless a value isn't finite.
  std::array<std::string, 4> histograms();
  // Returns the error sizes, for norms and distances; its counts of elements beyond tolerances don't apply.
  const stats::ErrorSummary& errors();
  // Finds the elements whose errors are both beyond their tolerance, or NaN.
  WrongElements wrong_elements(const Tolerances& tolerances);
  // Returns a quantile of the absolute and of the relative differences; 0, like all members of summaries(), if there
  // are no elements.
  std::pair<double, double> quantiles(double fraction);

 private:
  template <class Real>
  PairSummaries summarize_all(const std::optional<Tolerances>& wrong_by);
  template <class Real>
  std::array<std::string, 4> draw_histograms();
  template <class Real>
  WrongElements find_wrong(const Tolerances& tolerances);
  template <class Real>
  std::pair<double, double> find_quantiles(double fraction);
  [[nodiscard]] bool in_float() const { return stats::fits_in_float(first_.type(), second_.type()); }

  tensor::Tensor first_;
  tensor::Tensor second_;
  stats::EqualSpecials specials_;
  std::optional<bool> equal_;
  std::optional<PairSummaries> summaries_;
  std::optional<std::pair<Tolerances, WrongElements>> wrong_;
  std::optional<stats::ErrorSummary> errors_;
};

}  // namespace assay::compare
