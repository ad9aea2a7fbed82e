// What is measured of a pair of outputs, once, for all ways of comparing and for the log.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "stats/differences.h"
#include "stats/measure.h"
#include "stats/summary.h"
#include "tensor/tensor.h"

namespace assay::compare {

// Of the tensors and of the differences of their elements.
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

// How far apart the elements are that differ too much.
struct WrongElements {
  std::uint64_t count = 0;
  std::uint64_t worst = 0;  // where the absolute error is largest, or the first that is no number
  double worst_error = -1;
  double worst_relative = 0;
};

class PairFacts {
 public:
  // Numeric tensors (is_numeric) of the same shape, which this keeps.
  PairFacts(tensor::Tensor first, tensor::Tensor second, bool infinities_equal)
      : first_(std::move(first)), second_(std::move(second)), infinities_equal_(infinities_equal) {}

  [[nodiscard]] const tensor::Tensor& first() const { return first_; }
  [[nodiscard]] const tensor::Tensor& second() const { return second_; }

  [[nodiscard]] bool infinities_equal() const { return infinities_equal_; }

  // surely_equal().
  bool equal();
  // Both tensors and the differences in as few passes as it takes. The first call looks for wrong elements besides,
  // where tolerances are given, which saves wrong_elements() a pass.
  const PairSummaries& summaries(const std::optional<Tolerances>& wrong_by = std::nullopt);
  // Histograms, as text, of what summaries() holds; in its order.
  std::array<std::string, 4> histograms();
  // For norms and distances; tolerances do not matter.
  const stats::ErrorSummary& errors();
  // Elements both of whose errors are beyond their tolerance, or not a number.
  WrongElements wrong_elements(const Tolerances& tolerances);
  // A quantile of the differences: absolute, relative.
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
  bool infinities_equal_;
  std::optional<bool> equal_;
  std::optional<PairSummaries> summaries_;
  std::optional<std::pair<Tolerances, WrongElements>> wrong_;
  std::optional<stats::ErrorSummary> errors_;
};

}  // namespace assay::compare
