// Judgements by one number over all elements: length of the difference, angle, and signal to noise. All sums are in
// double; none needs memory.
//
// With a from the first run and b from the second: L2 = |a-b|; cosine = a.b / (|a||b|), 1 where both are zero;
// PSNR = 20 log10(|max a| / rms(a-b)), with 1 for a peak of 0, and SNR = 10 log10(mean(a^2) / mean((a-b)^2)), both in
// dB and infinite where a equals b. What the peer computes; no elements give NaN.
#include "compare/compare_function.h"

namespace assay::compare {
namespace {

bool report(std::string_view what, double value, std::string_view unit, double limit, bool passed, base::Log& log) {
  log.log(passed ? base::Level::info : base::Level::error, "        {}: {:.5g}{} (limit: {:g}{})", what, value, unit,
          limit, unit);
  return passed;
}

}  // namespace

bool compare_l2(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  const double norm = pair.facts.errors().l2();
  const double limit = options.l2_tolerance.of(pair.name);
  return report("L2 norm of the difference", norm, "", limit, norm <= limit, log);
}

bool compare_cosine_similarity(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  const double similarity = pair.facts.errors().cosine();
  const double limit = options.least_cosine.of(pair.name);
  return report("Cosine similarity", similarity, "", limit, similarity >= limit, log);
}

bool compare_psnr(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  const double ratio = pair.facts.errors().psnr();
  const double limit = options.least_psnr.of(pair.name);
  return report("Peak signal to noise", ratio, " dB", limit, ratio >= limit, log);
}

bool compare_snr(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  const double ratio = pair.facts.errors().snr();
  const double limit = options.least_snr.of(pair.name);
  return report("Signal to noise", ratio, " dB", limit, ratio >= limit, log);
}

}  // namespace assay::compare
