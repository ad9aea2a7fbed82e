// The settings of comparisons: numbers, or words from a list, that a user sets for all outputs or for one.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "stats/equal_specials.h"
#include "tensor/tensor.h"

namespace assay::compare {

struct Setting {
  std::string_view name;          // the option: "--l2-threshold"
  std::string_view other_name{};  // another spelling of it; may be empty
  std::string_view help{};        // what it does, for --help, without the default
  double default_value = 0;
  std::string_view key = "threshold";  // in files of accuracy results; empty: not stored
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  std::span<const std::string_view> words{};  // what the user gives for 0, 1, 2, ...; empty: numbers
  std::string_view only_outputs{};            // why saved metrics can't be judged with it; empty if they can
};

// Errors: invalid_input, with the setting's name, if the number is out of the setting's range or NaN.
base::Status check_number(const Setting& setting, double number);

// Says what `simple` judges: each element by itself, or one statistic over all errors. The values of kErrorStat.
enum class ErrorStat { elemwise, max, mean, median, quantile };
inline constexpr std::array<std::string_view, 5> kErrorStats = {"elemwise", "max", "mean", "median", "quantile"};

// The settings of `simple`.
inline constexpr Setting kErrorStat = {
    .name = "--check-error-stat",
    .help =
        "Judge by elemwise, max, mean, median or quantile. elemwise: an output fails if an element exceeds both "
        "tolerances; the others: if the statistic of both errors exceeds its tolerance",
    .default_value = static_cast<double>(ErrorStat::elemwise),
    .key = "check_error_stat",
    .words = kErrorStats};
inline constexpr Setting kAbsoluteTolerance = {.name = "--atol",
                                               .other_name = "--abs-tol",
                                               .help = "Set the absolute tolerance, for |a-b|",
                                               .default_value = 1e-5,
                                               .key = "atol",
                                               .least = 0};
inline constexpr Setting kRelativeTolerance = {
    .name = "--rtol",
    .other_name = "--rel-tol",
    .help = "Set the relative tolerance, for |a-b|/|b| with b from the second run",
    .default_value = 1e-5,
    .key = "rtol",
    .least = 0};
inline constexpr Setting kErrorQuantile = {
    .name = "--error-quantile",
    .help = "Set the quantile for --check-error-stat quantile, from 0 to 1",
    .default_value = 0.99,
    .key = "",
    .least = 0,
    .most = 1,
    .only_outputs = "needs the outputs, but the file holds only the quantile that was requested when it was saved"};
// The setting of `indices`.
inline constexpr Setting kIndexTolerance = {
    .name = "--index-tolerance",
    .help = "Allow an index to move by up to this many places; as many values at the end of a row aren't judged",
    .default_value = 0,
    .key = "",
    .least = 0,
    .most = 1e15,
    .only_outputs = "needs the outputs, but the file holds only the verdict on indices"};

// Measures how different two images of the same shape look. Errors: invalid_input if they aren't images; those of the
// process that measures.
using PerceptualDistance =
    std::function<base::Expected<double>(const tensor::Tensor& first, const tensor::Tensor& second)>;

class CompareOptions {
 public:
  // If true, different shapes disagree. If false, the second output is permuted or reshaped if possible.
  bool check_shapes = true;
  stats::EqualSpecials equal = {};
  bool keep_metrics = false;  // compute all metrics of a function, also those that its verdict doesn't need
  PerceptualDistance perceptual_distance = {};  // set if the functions include perceptual_metrics

  // Sets a value for one output, or for all others if `output` is empty.
  void set(const Setting& setting, double value, std::string output = {});
  [[nodiscard]] double of(const Setting& setting, std::string_view output) const;
  [[nodiscard]] ErrorStat error_stat(std::string_view output) const;
  // Returns the values by output; "" stands for all others.
  [[nodiscard]] std::map<std::string, double> by_output(const Setting& setting) const;
  // Returns the outputs that have a value of their own, each with the name of a setting for which they have it.
  [[nodiscard]] std::map<std::string, std::string_view> named_outputs() const;

 private:
  using ByOutput = std::map<std::string, double, std::less<>>;
  std::map<std::string_view, ByOutput> values_;  // by Setting::name; settings that weren't set are absent
};

}  // namespace assay::compare
