// Functions that judge by a single number over all elements: the norm of the difference, the angle, the signal-to-noise
// ratio, or the largest ULP distance. stats/measure.h defines them.
#include <limits>

#include "compare/compare_function.h"

namespace assay::compare {
namespace {

Judgement judge_by(const MetricKind& kind, double value, const OutputPair& pair, const CompareOptions& options,
                   base::Log& log) {
  Judgement judgement;
  const Measured measured{&kind, {value}, thresholds_of(kind, pair.name, options)};
  judgement.passed = judge(kind, measured.values, measured.thresholds).value_or(false);
  log.log(judgement.passed ? base::Level::info : base::Level::error, "        {}: {:.5g}{} (limit: {:g}{})", kind.title,
          value, kind.unit, measured.thresholds.limit, kind.unit);
  judgement.measured = measured;
  return judgement;
}

}  // namespace

Judgement compare_l2(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  return judge_by(kL2Metrics, pair.facts.errors().l2(), pair, options, log);
}

Judgement compare_cosine_similarity(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  return judge_by(kCosineMetrics, pair.facts.errors().cosine(), pair, options, log);
}

Judgement compare_psnr(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  return judge_by(kPsnrMetrics, pair.facts.errors().psnr(), pair, options, log);
}

Judgement compare_snr(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  return judge_by(kSnrMetrics, pair.facts.errors().snr(), pair, options, log);
}

// An element with NaN has no distance and always fails.
Judgement compare_ulp(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  const stats::ErrorSummary& errors = pair.facts.errors();
  const bool no_number = errors.nan.first != 0 || errors.nan.second != 0;
  const double distance = no_number ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(errors.max_ulp);
  if (no_number) {
    log.error("        NaN: {} in the first run, {} in the second", errors.nan.first, errors.nan.second);
  } else if (errors.max_ulp != 0) {
    log.info("        Farthest apart at {}", stats::format_position(errors.max_ulp_at, pair.first().shape()));
  }
  return judge_by(kUlpMetrics, distance, pair, options, log);
}

}  // namespace assay::compare
