#include "compare/judgement.h"

#include <algorithm>
#include <array>

namespace assay::compare {
namespace {

constexpr std::array<std::string_view, 5> kStatNames = {"elemwise", "max", "mean", "median", "quantile"};

constexpr std::array<std::string_view, 8> kErrorNames = {"max_absdiff",      "max_reldiff",     "mean_absdiff",
                                                         "mean_reldiff",     "median_absdiff",  "median_reldiff",
                                                         "quantile_absdiff", "quantile_reldiff"};
constexpr std::array<std::string_view, 1> kL2Names = {"l2_norm"};
constexpr std::array<std::string_view, 1> kCosineNames = {"cosine_similarity"};
constexpr std::array<std::string_view, 1> kPsnrNames = {"psnr"};
constexpr std::array<std::string_view, 1> kSnrNames = {"snr"};
constexpr std::array<std::string_view, 1> kUlpNames = {"max_ulp"};

}  // namespace

std::string_view name(ErrorStat stat) {
  return kStatNames[static_cast<std::size_t>(stat)];
}

std::optional<ErrorStat> parse_error_stat(std::string_view name) {
  const auto at = std::ranges::find(kStatNames, name);
  if (at == kStatNames.end()) return std::nullopt;
  return static_cast<ErrorStat>(at - kStatNames.begin());
}

const MetricKind kSimpleMetrics = {"simple",         "Errors", "", kErrorNames, false, "OutputCompareResult",
                                   "SimpleThreshold"};
const MetricKind kL2Metrics = {"l2", "L2 norm of the difference", "", kL2Names, false, "L2Result", "L2Threshold"};
const MetricKind kCosineMetrics = {"cosine_similarity",      "Cosine similarity",        "", kCosineNames, true,
                                   "CosineSimilarityResult", "CosineSimilarityThreshold"};
const MetricKind kPsnrMetrics = {"psnr", "Peak signal to noise", " dB",          kPsnrNames,
                                 true,   "PsnrResult",           "PsnrThreshold"};
const MetricKind kSnrMetrics = {"snr", "Signal to noise", " dB", kSnrNames, true, "SnrResult", "SnrThreshold"};
const MetricKind kUlpMetrics = {"ulp", "Largest ULP distance", "", kUlpNames, false, "", ""};

std::span<const MetricKind* const> metric_kinds() {
  static constexpr std::array kKinds = {&kSimpleMetrics, &kL2Metrics,  &kCosineMetrics,
                                        &kPsnrMetrics,   &kSnrMetrics, &kUlpMetrics};
  return kKinds;
}

std::optional<bool> judge(const MetricKind& kind, std::span<const std::optional<double>> values,
                          const Thresholds& thresholds) {
  if (&kind != &kSimpleMetrics) {
    if (!values[0]) return std::nullopt;
    return kind.at_least ? *values[0] >= thresholds.limit : *values[0] <= thresholds.limit;
  }
  if (thresholds.stat == ErrorStat::elemwise) return std::nullopt;
  const std::size_t at = 2 * (static_cast<std::size_t>(thresholds.stat) - 1);
  const std::optional<double>& absolute = values[at];
  const std::optional<double>& relative = values[at + 1];
  if (!absolute || !relative) return std::nullopt;
  return *absolute <= thresholds.absolute || *relative <= thresholds.relative;
}

}  // namespace assay::compare
