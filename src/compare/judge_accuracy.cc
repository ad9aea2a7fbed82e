#include "compare/judge_accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "base/strings.h"
#include "stats/summary.h"

namespace assay::compare {
namespace {

base::Level level_of(bool passed) {
  return passed ? base::Level::info : base::Level::error;
}
std::string_view word_of(bool passed) {
  return passed ? "PASSED" : "FAILED";
}

// Formats the metrics that a threshold applies to. The names of those of a statistic begin with its name.
std::string describe_metrics(const CompareFunction& function, const std::vector<std::optional<double>>& values,
                             std::string_view output, const CompareOptions& options) {
  const auto stat = static_cast<std::size_t>(options.error_stat(output));
  const std::span<const std::string_view> names = function.metrics();
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool relevant = names.size() == 1 || names[i].starts_with(kErrorStats[stat]);
    if (relevant && values[i])
      texts.push_back(fmt::format("{}={}{}", names[i], stats::format_number(*values[i]), function.unit));
  }
  return texts.empty() ? "no metrics" : base::join(texts, ", ");
}

// Returns false if an iteration has no metrics of the output, and a verdict that failed.
bool verdicts_pass(const PairAccuracy& pair, const std::string& output) {
  return std::ranges::all_of(pair.iterations, [&](const std::vector<OutputJudgement>& outputs) {
    const auto at = std::ranges::find(outputs, output, &OutputJudgement::output);
    return at == outputs.end() || at->judgement.measured || at->judgement.passed;
  });
}

bool judge_pair_averages(const CompareFunction& function, const PairAccuracy& pair, const CompareOptions& options,
                         base::Log& log) {
  bool all = true;
  for (const std::string& output : outputs_of(pair)) {
    const auto means = mean_metrics(function, pair, output);
    const bool measured = std::ranges::any_of(means, [](const auto& mean) { return mean.has_value(); });
    const bool passed = verdicts_pass(pair, output) &&
                        (!measured || judge(function, means, thresholds_of(function, output, options)).value_or(false));
    log.log(level_of(passed), "{} | {} | {} and {} | Output: '{}' | Mean over {} iterations: {}", word_of(passed),
            function.name, pair.first, pair.second, output, pair.iterations.size(),
            describe_metrics(function, means, output, options));
    all &= passed;
  }
  return all;
}

// Returns true if all outputs pass. An output without metrics, because it holds strings or couldn't be compared, counts
// by its verdict.
bool judge_iteration(const CompareFunction* function, const std::vector<OutputJudgement>& outputs,
                     const ComparePlan& plan, base::Log& log) {
  bool all = true;
  for (const OutputJudgement& output : outputs) {
    if (function == nullptr) {
      all &= output.judgement.passed;
      continue;
    }
    const std::vector<double> thresholds = thresholds_of(*function, output.output, plan.options);
    const auto& measured = output.judgement.measured;
    const bool passed =
        measured ? judge(*function, measured->values, thresholds).value_or(false) : output.judgement.passed;
    if (!passed) {
      log.error("    FAILED | {} | Output: '{}' | {}", function->name, output.output,
                measured ? describe_metrics(*function, measured->values, output.output, plan.options)
                         : "differs, and has no metrics");
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
      const bool passed = judge_iteration(function.function, outputs, plan, log);
      agreed += passed ? 1 : 0;
      if (!passed && plan.fail_fast) break;
    }
    const bool passed = agreed == judged;
    log.log(level_of(passed), "{} | {} | {} and {} | {} of {} iterations agree", word_of(passed),
            function.function == nullptr ? "indices" : function.function->name, pair.first, pair.second, agreed,
            judged);
    all &= passed;
    if (!passed && plan.fail_fast) break;
  }
  return all;
}

// Warns that an output's saved metrics don't suffice. Files don't hold single elements, and hold a quantile only if it
// was requested when they were written.
void warn_of_missing_metrics(const CompareFunction& function, const std::string& output, const CompareOptions& options,
                             base::Log& log) {
  if (judges_elements(function, output, options)) {
    log.warning(
        "{}: skipped, since the file holds no single elements. Judge a statistic instead: "
        "--check-error-stat max, mean or median",
        function.name);
  } else {
    const auto stat = static_cast<std::size_t>(options.error_stat(output));
    log.warning("{}: output '{}' was saved without {}", function.name, output, kErrorStats[stat]);
  }
}

// Returns true if the file holds the metrics that the thresholds need.
bool can_be_judged(const FunctionAccuracy& function, const ComparePlan& plan, base::Log& log) {
  if (function.function == nullptr) return true;
  for (const PairAccuracy& pair : function.pairs) {
    for (const auto& outputs : pair.iterations) {
      for (const OutputJudgement& output : outputs) {
        const auto& measured = output.judgement.measured;
        const std::vector<double> thresholds = thresholds_of(*function.function, output.output, plan.options);
        if (!measured || judge(*function.function, measured->values, thresholds)) continue;
        warn_of_missing_metrics(*function.function, output.output, plan.options, log);
        return false;
      }
    }
  }
  return true;
}

// Returns true if the plan names the function.
bool is_wanted(const FunctionAccuracy& function, const ComparePlan& plan) {
  return std::ranges::any_of(plan.functions, [&](const CompareFunction* wish) {
    return function.function == nullptr ? wish->metrics().empty() : wish == function.function;
  });
}

}  // namespace

bool judge_averages(const FunctionAccuracy& function, const CompareOptions& options, base::Log& log) {
  bool all = true;
  for (const PairAccuracy& pair : function.pairs) all &= judge_pair_averages(*function.function, pair, options, log);
  return all;
}

base::Expected<bool> judge_saved(const AccuracyResults& results, const ComparePlan& plan, base::Log& log) {
  bool all = true;
  std::size_t judged = 0;
  for (const FunctionAccuracy& function : results.functions) {
    if (!is_wanted(function, plan)) {
      log.info("Skipped: results of {}, which --compare does not name",
               function.function == nullptr ? "plain verdicts" : function.function->name);
      continue;
    }
    if (!can_be_judged(function, plan, log)) continue;
    ++judged;
    const bool passed = plan.average && function.function != nullptr ? judge_averages(function, plan.options, log)
                                                                     : judge_iterations(function, plan, log);
    all &= passed;
    if (!passed && plan.fail_fast) break;
  }
  if (judged != 0) return all;
  return base::fail(base::ErrorKind::not_found, "nothing in the file can be judged by these thresholds", {},
                    "Name the saved comparisons with --compare, and for simple a statistic with --check-error-stat");
}

AccuracyResults judged_results(const AccuracyResults& results, const ComparePlan& plan) {
  AccuracyResults judged;
  base::SilentLog silent;  // judge_saved() says what can't be judged
  for (const FunctionAccuracy& function : results.functions) {
    if (!is_wanted(function, plan) || !can_be_judged(function, plan, silent)) continue;
    FunctionAccuracy& kept = judged.functions.emplace_back(function);
    kept.average = plan.average;
    for (PairAccuracy& pair : kept.pairs) {
      for (OutputJudgement& output : pair.iterations | std::views::join) {
        Judgement& judgement = output.judgement;
        if (!judgement.measured) continue;
        judgement.measured->thresholds = thresholds_of(*kept.function, output.output, plan.options);
        judgement.passed = judge(*kept.function, judgement.measured->values, judgement.measured->thresholds)
                               .value_or(judgement.passed);
      }
    }
  }
  return judged;
}

}  // namespace assay::compare
