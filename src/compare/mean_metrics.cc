#include "compare/mean_metrics.h"

#include <cstddef>
#include <ranges>
#include <unordered_map>

namespace assay::compare {

std::vector<OutputMeans> mean_metrics(const CompareFunction& function, const PairAccuracy& pair) {
  std::vector<OutputMeans> outputs;
  std::vector<std::size_t> counts;                       // iterations with metrics, by output
  std::unordered_map<std::string, std::size_t> indices;  // in `outputs`
  for (const OutputJudgement& output : pair.iterations | std::views::join) {
    const auto [at, is_new] = indices.try_emplace(output.output, outputs.size());
    if (is_new) {
      counts.push_back(0);
      outputs.push_back({output.output, std::vector<std::optional<double>>(function.metrics().size(), 0.0)});
    }
    OutputMeans& sums = outputs[at->second];
    const auto& measured = output.judgement.measured;
    if (!measured) sums.verdicts_pass = sums.verdicts_pass && output.judgement.passed;
    if (!measured || measured->function != &function) continue;
    ++counts[at->second];
    for (std::size_t i = 0; i < sums.means.size(); ++i) {
      if (!measured->values[i]) sums.means[i].reset();
      if (sums.means[i]) *sums.means[i] += *measured->values[i];
    }
  }
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    outputs[k].is_measured = counts[k] > 0;
    for (std::optional<double>& mean : outputs[k].means) {
      if (counts[k] == 0) mean.reset();
      if (mean) *mean /= static_cast<double>(counts[k]);
    }
  }
  return outputs;
}

}  // namespace assay::compare
