// Compares images by LPIPS, how different they look to a neural network. The caller provides the function that measures
// it, because the network runs in Python. An output that can't be measured fails: a file of results then holds only the
// verdict, since Polygraphy passes results without a number.
#include <cassert>

#include "compare/compare_function.h"

namespace assay::compare {

Judgement compare_perceptual(const OutputPair& pair, const CompareOptions& options, base::Log& log) {
  assert(options.perceptual_distance);
  const auto distance = options.perceptual_distance(pair.first(), pair.second());
  if (distance) return judge_number(compare_function("perceptual_metrics"), pair, *distance, options, log);
  if (distance.error().kind != base::ErrorKind::interrupted) log.error("        {}", distance.error().message());
  return {false};
}

}  // namespace assay::compare
