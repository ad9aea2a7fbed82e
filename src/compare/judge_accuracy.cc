#include "compare/judge_accuracy.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"

namespace assay::compare {
namespace {

base::Level level_of(bool passed) {
  return passed ? base::Level::info : base::Level::error;
}
std::string_view word_of(bool passed) {
  return passed ? "PASSED" : "FAILED";
}

// Formats the metrics that a threshold applies to.
std::string describe_metrics(const MetricKind& kind, const std::vector<std::optional<double>>& values, ErrorStat stat) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool asked = &kind != &kSimpleMetrics || kind.metrics[i].starts_with(name(stat));
    if (asked && values[i]) texts.push_back(fmt::format("{}={:.5g}{}", kind.metrics[i], *values[i], kind.unit));
  }
  return texts.empty() ? "no metrics" : base::join(texts, ", ");
}

bool judge_pair_averages(const MetricKind& kind, const PairAccuracy& pair, const CompareOptions& options,
                         base::Log& log) {
  bool all = true;
  for (const std::string& output : outputs_of(pair)) {
    const Thresholds thresholds = thresholds_of(kind, output, options);
    const auto means = mean_metrics(kind, pair, output);
    const bool passed = judge(kind, means, thresholds).value_or(false);
    log.log(level_of(passed), "{} | {} | {} and {} | Output: '{}' | Mean over {} iterations: {}", word_of(passed),
            kind.function, pair.first, pair.second, output, pair.iterations.size(),
            describe_metrics(kind, means, thresholds.stat));
    all &= passed;
  }
  return all;
}

// Returns true if all outputs pass. An output that can't be judged again fails, for example because shapes differed.
bool judge_iteration(const MetricKind* kind, const std::vector<OutputJudgement>& outputs, const ComparePlan& plan,
                     base::Log& log) {
  bool all = true;
  for (const OutputJudgement& output : outputs) {
    if (kind == nullptr) {
      all &= output.judgement.passed;
      continue;
    }
    const Thresholds thresholds = thresholds_of(*kind, output.output, plan.options);
    const auto& measured = output.judgement.measured;
    const bool passed = measured && judge(*kind, measured->values, thresholds).value_or(false);
    if (!passed) {
      log.error("    FAILED | {} | Output: '{}' | {}", kind->function, output.output,
                measured ? describe_metrics(*kind, measured->values, thresholds.stat) : "could not be compared");
    }
    all &= passed;
  }
  return all;
}

bool judge_iterations(const FunctionAccuracy& function, const ComparePlan& plan, base::Log& log) {
  bool all = true;
  for (const PairAccuracy& pair : function.pairs) {
    std::size_t agreed = 0;
    std::size_t judged = 0;
    for (const auto& outputs : pair.iterations) {
      ++judged;
      const bool passed = judge_iteration(function.kind, outputs, plan, log);
      agreed += passed ? 1 : 0;
      if (!passed && plan.fail_fast) break;
    }
    const bool passed = agreed == judged;
    log.log(level_of(passed), "{} | {} | {} and {} | {} of {} iterations agree", word_of(passed),
            function.kind == nullptr ? "indices" : function.kind->function, pair.first, pair.second, agreed, judged);
    all &= passed;
    if (!passed && plan.fail_fast) break;
  }
  return all;
}

// Returns true if the file holds the metrics that the thresholds need. Files don't hold single elements, and hold a
// quantile only if it was requested when they were written.
bool can_be_judged(const FunctionAccuracy& function, const ComparePlan& plan, base::Log& log) {
  if (function.kind == nullptr) return true;
  for (const PairAccuracy& pair : function.pairs) {
    for (const auto& outputs : pair.iterations) {
      for (const OutputJudgement& output : outputs) {
        const auto& measured = output.judgement.measured;
        const Thresholds thresholds = thresholds_of(*function.kind, output.output, plan.options);
        if (!measured || judge(*function.kind, measured->values, thresholds)) continue;
        if (thresholds.stat == ErrorStat::elemwise) {
          log.warning(
              "{}: skipped, since the file holds no single elements. Judge a statistic instead: "
              "--check-error-stat max, mean or median",
              function.kind->function);
        } else {
          log.warning("{}: output '{}' was saved without {}", function.kind->function, output.output,
                      name(thresholds.stat));
        }
        return false;
      }
    }
  }
  return true;
}

}  // namespace

bool judge_averages(const FunctionAccuracy& function, const CompareOptions& options, base::Log& log) {
  bool all = true;
  for (const PairAccuracy& pair : function.pairs) all &= judge_pair_averages(*function.kind, pair, options, log);
  return all;
}

base::Expected<bool> judge_saved(const AccuracyResults& results, const ComparePlan& plan, base::Log& log) {
  bool all = true;
  std::size_t judged = 0;
  for (const FunctionAccuracy& function : results.functions) {
    const bool wanted =
        std::ranges::any_of(plan.functions, [&](const CompareFunction& wish) { return wish.metrics == function.kind; });
    if (!wanted) {
      log.info("Skipped: results of {}, which --compare does not name",
               function.kind == nullptr ? "plain verdicts" : function.kind->function);
      continue;
    }
    if (!can_be_judged(function, plan, log)) continue;
    ++judged;
    const bool passed = plan.average && function.kind != nullptr ? judge_averages(function, plan.options, log)
                                                                 : judge_iterations(function, plan, log);
    all &= passed;
    if (!passed && plan.fail_fast) break;
  }
  if (judged != 0) return all;
  return base::fail(base::ErrorKind::not_found, "nothing in the file can be judged by these thresholds", {},
                    "Name the saved comparisons with --compare, and for simple a statistic with --check-error-stat");
}

}  // namespace assay::compare
