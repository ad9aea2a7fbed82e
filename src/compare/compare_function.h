// The ways of judging whether two outputs agree, as one table: a way is one file and one row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "compare/pair_facts.h"
#include "compare/per_output.h"
#include "tensor/tensor.h"

namespace assay::compare {

// What `simple` judges by: every element by itself, or one statistic of all errors.
enum class ErrorStat { elemwise, max, mean, median, quantile };

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
};

// One output of two runs. Relative errors are relative to the second. Both have the same shape.
struct OutputPair {
  std::string_view name;  // in the first run; settings go by it
  PairFacts& facts;

  [[nodiscard]] const tensor::Tensor& first() const { return facts.first(); }
  [[nodiscard]] const tensor::Tensor& second() const { return facts.second(); }
};

// Judges, and reports what it measured. Anything but numbers is left to compare_outputs.
using CompareFn = bool (*)(const OutputPair& pair, const CompareOptions& options, base::Log& log);

struct CompareFunction {
  std::string_view name;
  CompareFn compare;
};

// Errors: invalid_input for a name that is no way of comparing, unsupported for one that this version does not have.
// Some names stand for several ways.
base::Expected<std::vector<CompareFunction>> find_compare_functions(const std::vector<std::string>& names);
std::string compare_function_names();

bool compare_simple(const OutputPair& pair, const CompareOptions& options, base::Log& log);
bool compare_indices(const OutputPair& pair, const CompareOptions& options, base::Log& log);
bool compare_l2(const OutputPair& pair, const CompareOptions& options, base::Log& log);
bool compare_cosine_similarity(const OutputPair& pair, const CompareOptions& options, base::Log& log);
bool compare_psnr(const OutputPair& pair, const CompareOptions& options, base::Log& log);
bool compare_snr(const OutputPair& pair, const CompareOptions& options, base::Log& log);

}  // namespace assay::compare
