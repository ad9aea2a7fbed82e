// The result of a comparison function for one output: a few numbers (metrics), their thresholds, and the verdict.
// Metrics can be judged again later, with other thresholds or as means of several iterations.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace assay::compare {

// Says what `simple` judges: each element by itself, or one statistic over all errors.
enum class ErrorStat { elemwise, max, mean, median, quantile };
std::string_view name(ErrorStat stat);
std::optional<ErrorStat> parse_error_stat(std::string_view name);

// One kind of metrics, a row of a table. The names are those in Polygraphy's files.
struct MetricKind {
  std::string_view function;                  // the comparison function
  std::string_view title;                     // for people: "L2 norm of the difference"
  std::string_view unit;                      // with a leading space; may be empty
  std::span<const std::string_view> metrics;  // names
  bool at_least = false;                      // the only metric must be at least the threshold; else at most
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
  double limit = 0;  // for every kind except kSimpleMetrics, which uses these:
  ErrorStat stat = ErrorStat::elemwise;
  double absolute = 0;
  double relative = 0;
};

struct Measured {
  const MetricKind* kind = nullptr;
  std::vector<std::optional<double>> values;  // one for each of kind->metrics; absent if not requested
  Thresholds thresholds;
};

// Judges metrics. Returns nullopt if they aren't sufficient: for elements one by one, or if a metric is absent.
std::optional<bool> judge(const MetricKind& kind, std::span<const std::optional<double>> values,
                          const Thresholds& thresholds);

struct Judgement {
  bool passed = false;
  std::optional<Measured> measured{};  // absent: only the verdict is known
};

// The judgement of one output, by its name in the first run.
struct OutputJudgement {
  std::string output;
  Judgement judgement;
};

}  // namespace assay::compare
