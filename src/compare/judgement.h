// What a way of comparing found of one output: a few numbers (metrics), what they are held against, and the verdict.
// Metrics and thresholds can be judged again later, for other thresholds or for the mean of several iterations.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace assay::compare {

// What `simple` judges by: every element by itself, or one statistic of all errors.
enum class ErrorStat { elemwise, max, mean, median, quantile };
std::string_view name(ErrorStat stat);
std::optional<ErrorStat> parse_error_stat(std::string_view name);

// One kind of metrics, as one row of a table. The names are those of the peer's files.
struct MetricKind {
  std::string_view function;                  // the way of comparing
  std::string_view title;                     // for people: "L2 norm of the difference"
  std::string_view unit;                      // with a space before it; or empty
  std::span<const std::string_view> metrics;  // names
  bool at_least = false;                      // the only metric has to be at least the threshold; else at most
  std::string_view result_class;
  std::string_view threshold_class;
};

extern const MetricKind kSimpleMetrics;  // maxima, means, medians and a quantile of absolute and relative errors
extern const MetricKind kL2Metrics;
extern const MetricKind kCosineMetrics;
extern const MetricKind kPsnrMetrics;
extern const MetricKind kSnrMetrics;
extern const MetricKind kUlpMetrics;
std::span<const MetricKind* const> metric_kinds();

struct Thresholds {
  double limit = 0;  // of every kind but kSimpleMetrics, for which these are:
  ErrorStat stat = ErrorStat::elemwise;
  double absolute = 0;
  double relative = 0;
};

struct Measured {
  const MetricKind* kind = nullptr;
  std::vector<std::optional<double>> values;  // one for each of kind->metrics; absent: not asked for
  Thresholds thresholds;
};

// The verdict on metrics alone. nullopt where they do not tell: elements one by one, or a metric that is absent.
std::optional<bool> judge(const MetricKind& kind, std::span<const std::optional<double>> values,
                          const Thresholds& thresholds);

struct Judgement {
  bool passed = false;
  std::optional<Measured> measured{};  // absent: there is only the verdict
};

// Of one output, by its name in the first run.
struct OutputJudgement {
  std::string output;
  Judgement judgement;
};

}  // namespace assay::compare
