// The ways of judging whether two outputs agree, as one table: a way is one file and one row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "compare/judgement.h"
#include "compare/pair_facts.h"
#include "compare/per_output.h"
#include "tensor/tensor.h"

namespace assay::compare {

struct CompareOptions {
  bool check_shapes = true;  // outputs of different shapes disagree; else they are brought to one shape where possible
  PerOutput<double> relative_tolerance{1e-5};
  PerOutput<double> absolute_tolerance{1e-5};
  PerOutput<ErrorStat> error_stat{};
  PerOutput<double> error_quantile{0.99};
  bool infinities_equal = false;  // infinities of the same sign differ by 0, not by NaN
  PerOutput<std::int64_t> index_tolerance{0};
  PerOutput<double> l2_tolerance{1e-5};
  PerOutput<double> least_cosine{0.997};
  PerOutput<double> least_psnr{30};
  PerOutput<double> least_snr{20};
  PerOutput<double> ulp_tolerance{0};
  bool keep_metrics = false;  // take all metrics of a way of comparing, also those that the verdict does not need
};

// One output of two runs. Relative errors are relative to the second. Both have the same shape.
struct OutputPair {
  std::string_view name;  // in the first run; settings go by it
  PairFacts& facts;

  [[nodiscard]] const tensor::Tensor& first() const { return facts.first(); }
  [[nodiscard]] const tensor::Tensor& second() const { return facts.second(); }
};

// Judges, and reports what it measured. Anything but numbers is left to compare_outputs.
using CompareFn = Judgement (*)(const OutputPair& pair, const CompareOptions& options, base::Log& log);

struct CompareFunction {
  std::string_view name;
  CompareFn compare;
  const MetricKind* metrics;  // null: it gives verdicts alone
};

// Errors: invalid_input for a name that is no way of comparing, unsupported for one that this version does not have.
// Some names stand for several ways.
base::Expected<std::vector<CompareFunction>> find_compare_functions(const std::vector<std::string>& names);
std::string compare_function_names();

Judgement compare_simple(const OutputPair& pair, const CompareOptions& options, base::Log& log);
Judgement compare_indices(const OutputPair& pair, const CompareOptions& options, base::Log& log);
Judgement compare_l2(const OutputPair& pair, const CompareOptions& options, base::Log& log);
Judgement compare_cosine_similarity(const OutputPair& pair, const CompareOptions& options, base::Log& log);
Judgement compare_psnr(const OutputPair& pair, const CompareOptions& options, base::Log& log);
Judgement compare_snr(const OutputPair& pair, const CompareOptions& options, base::Log& log);
Judgement compare_ulp(const OutputPair& pair, const CompareOptions& options, base::Log& log);

// The thresholds of an output that go with these metrics.
Thresholds thresholds_of(const MetricKind& kind, std::string_view output, const CompareOptions& options);

}  // namespace assay::compare
