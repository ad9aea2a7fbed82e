// The comparison functions, as one table: each row says how a function judges whether two outputs agree, which options
// set its thresholds, and how its results are stored. Options, help, warnings and files of accuracy results follow from
// the rows.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "compare/compare_options.h"
#include "compare/judgement.h"
#include "compare/pair_facts.h"
#include "tensor/tensor.h"

namespace assay::compare {

// An output of two runs, numeric and of the same shape. Relative errors are relative to the second run.
struct OutputPair {
  std::string_view name;  // in the first run; per-output settings refer to it
  PairFacts& facts;

  [[nodiscard]] const tensor::Tensor& first() const { return facts.first(); }
  [[nodiscard]] const tensor::Tensor& second() const { return facts.second(); }
};

enum class Bound { at_most, at_least };

// Most functions measure one number and compare it with one threshold: their rows have `measure` and a single setting.
// The other rows have `compare` and, if they return several metrics, `judge`.
struct CompareFunction {
  std::string_view name;              // as in --compare
  std::string_view title{};           // of the number, in messages: "L2 norm of the difference"
  std::string_view unit{};            // of the number, with a leading space; may be empty
  Bound bound = Bound::at_most;       // a number at the threshold or on this side of it passes
  Setting setting_rows[4]{};          // the unused ones have no name
  std::string_view metric_rows[8]{};  // names of the numbers in files; none if the function has only verdicts
  // Polygraphy's names of the classes in files. If empty, Polygraphy doesn't have the function, and its metrics are
  // stored separately.
  std::string_view result_class{};
  std::string_view threshold_class{};
  bool stores_verdict = false;  // files also hold the verdict if it doesn't follow from the metrics
  double (*measure)(const OutputPair& pair, base::Log& log) = nullptr;
  // Judges a pair and logs what it measured.
  Judgement (*compare)(const OutputPair& pair, const CompareOptions& options, base::Log& log) = nullptr;
  // Judges metrics; returns nullopt if they aren't sufficient.
  std::optional<bool> (*judge)(std::span<const std::optional<double>> values,
                               std::span<const double> thresholds) = nullptr;

  [[nodiscard]] std::span<const Setting> settings() const;
  [[nodiscard]] std::span<const std::string_view> metrics() const;
};

std::span<const CompareFunction> compare_functions();
// Asserts that there is a function with this name.
const CompareFunction& compare_function(std::string_view name);

// Returns the functions with these names, each once; some names stand for several functions. Errors: invalid_input for
// an unknown name.
base::Expected<std::vector<const CompareFunction*>> find_compare_functions(const std::vector<std::string>& names);
// Returns the names that find_compare_functions() takes.
std::vector<std::string> compare_function_names();

// Judges a pair by a function and logs what it measured. Only for numbers; compare_outputs.cc handles other types.
Judgement compare_pair(const CompareFunction& function, const OutputPair& pair, const CompareOptions& options,
                       base::Log& log);

// Judges the number that a function has measured for a pair, and logs it. Only for functions of one number.
Judgement judge_number(const CompareFunction& function, const OutputPair& pair, double value,
                       const CompareOptions& options, base::Log& log);

// Judges metrics. Returns nullopt if they aren't sufficient: for elements one by one, or if a metric is absent.
std::optional<bool> judge(const CompareFunction& function, std::span<const std::optional<double>> values,
                          std::span<const double> thresholds);

// Returns the values of the function's settings for an output.
std::vector<double> thresholds_of(const CompareFunction& function, std::string_view output,
                                  const CompareOptions& options);

// Returns true if the function judges each element of the output by itself, so that its metrics can't be judged again.
bool judges_elements(const CompareFunction& function, std::string_view output, const CompareOptions& options);

// Functions of the table's rows that are longer than a line.
Judgement compare_simple(const OutputPair& pair, const CompareOptions& options, base::Log& log);
std::optional<bool> judge_simple(std::span<const std::optional<double>> values, std::span<const double> thresholds);
// Returns the tolerances of `simple`.
Tolerances tolerances_of(std::string_view output, const CompareOptions& options);
Judgement compare_indices(const OutputPair& pair, const CompareOptions& options, base::Log& log);
Judgement compare_perceptual(const OutputPair& pair, const CompareOptions& options, base::Log& log);

}  // namespace assay::compare
