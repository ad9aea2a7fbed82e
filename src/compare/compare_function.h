// The comparison functions, as one table: each function judges whether two outputs agree, and is one file and one row.
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
  bool check_shapes =
      true;  // if false, the second output is permuted or reshaped if possible; if true, different shapes disagree
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
  bool keep_metrics = false;  // compute all metrics of a function, also those that its verdict doesn't need
};

// An output of two runs, numeric and of the same shape. Relative errors are relative to the second run.
struct OutputPair {
  std::string_view name;  // in the first run; per-output settings refer to it
  PairFacts& facts;

  [[nodiscard]] const tensor::Tensor& first() const { return facts.first(); }
  [[nodiscard]] const tensor::Tensor& second() const { return facts.second(); }
};

// Judges a pair and logs what it measured. Only called for numbers; compare_outputs.cc handles other types.
using CompareFn = Judgement (*)(const OutputPair& pair, const CompareOptions& options, base::Log& log);

struct CompareFunction {
  std::string_view name;
  CompareFn compare;
  const MetricKind* metrics;  // null: it only returns verdicts
};

// Returns the functions with these names, each once; some names stand for several functions. Errors: invalid_input for
// an unknown name, unsupported for a function of Polygraphy's that Assay doesn't have.
base::Expected<std::vector<CompareFunction>> find_compare_functions(const std::vector<std::string>& names);
std::string compare_function_names();

Judgement compare_simple(const OutputPair& pair, const CompareOptions& options, base::Log& log);
Judgement compare_indices(const OutputPair& pair, const CompareOptions& options, base::Log& log);
Judgement compare_l2(const OutputPair& pair, const CompareOptions& options, base::Log& log);
Judgement compare_cosine_similarity(const OutputPair& pair, const CompareOptions& options, base::Log& log);
Judgement compare_psnr(const OutputPair& pair, const CompareOptions& options, base::Log& log);
Judgement compare_snr(const OutputPair& pair, const CompareOptions& options, base::Log& log);
Judgement compare_ulp(const OutputPair& pair, const CompareOptions& options, base::Log& log);

// Returns the thresholds for these metrics of an output.
Thresholds thresholds_of(const MetricKind& kind, std::string_view output, const CompareOptions& options);

}  // namespace assay::compare
