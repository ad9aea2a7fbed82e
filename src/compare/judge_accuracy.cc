#include "compare/judge_accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>
#include <utility>

#include "base/strings.h"
#include "compare/mean_metrics.h"
#include "stats/summary_text.h"

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

std::string_view name_of(const FunctionAccuracy& function) {
  return function.function == nullptr ? "indices" : function.function->name;
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
    log.warning("{}: output '{}' was saved without {}", function.name, output,
                function.metrics().size() == 1 ? function.metrics()[0] : kErrorStats[stat]);
  }
}

// Judges metrics. Warns and returns nothing if they don't suffice. Each warning is logged once for a pair.
std::optional<bool> judge_metrics(const CompareFunction& function, const std::vector<std::optional<double>>& values,
                                  const std::string& output, const CompareOptions& options,
                                  std::set<std::string>& warned, base::Log& log) {
  const auto passed = judge(function, values, thresholds_of(function, output, options));
  const std::string named = judges_elements(function, output, options) ? "" : output;  // in the warning
  if (!passed && warned.insert(named).second) warn_of_missing_metrics(function, output, options, log);
  return passed;
}

JudgedPair judge_pair_averages(const CompareFunction& function, const PairAccuracy& pair, const CompareOptions& options,
                               base::Log& log) {
  JudgedPair judged{&function, pair.first, pair.second, {}};
  std::set<std::string> warned;
  for (OutputMeans& means : mean_metrics(function, pair)) {
    bool passed = means.verdicts_pass;
    if (means.is_measured) {
      const auto mean_passed = judge_metrics(function, means.means, means.output, options, warned, log);
      if (!mean_passed) continue;
      passed &= *mean_passed;
    }
    log.log(level_of(passed), "{} | {} | {} and {} | Output: '{}' | Mean over {} iterations: {}", word_of(passed),
            function.name, pair.first, pair.second, means.output, pair.iterations.size(),
            describe_metrics(function, means.means, means.output, options));
    JudgedOutput& row = judged.outputs.emplace_back();
    if (means.is_measured) row.thresholds = thresholds_of(function, means.output, options);
    if (means.is_measured) row.metrics = std::move(means.means);
    row.output = std::move(means.output);
    row.passed = passed;
  }
  return judged;
}

// Judges an output by its metrics. An output without metrics, because it holds strings or couldn't be compared, counts
// by its verdict. Returns nothing if its metrics don't suffice.
std::optional<JudgedOutput> judge_output(const CompareFunction* function, const OutputJudgement& output,
                                         const CompareOptions& options, std::set<std::string>& warned, base::Log& log) {
  const auto& measured = output.judgement.measured;
  JudgedOutput judged{output.output, {}, {}, {}, output.judgement.passed};
  if (function == nullptr) return judged;
  if (measured) {
    const auto passed = judge_metrics(*function, measured->values, output.output, options, warned, log);
    if (!passed) return std::nullopt;
    judged.metrics = measured->values;
    judged.thresholds = thresholds_of(*function, output.output, options);
    judged.passed = *passed;
  }
  if (!judged.passed) {
    log.error("    FAILED | {} | Output: '{}' | {}", function->name, output.output,
              measured ? describe_metrics(*function, measured->values, output.output, options)
                       : "differs, and has no metrics");
  }
  return judged;
}

// Counts iterations of a pair.
struct Agreement {
  std::size_t agreed = 0;
  std::size_t judged = 0;  // those with outputs that could be judged, or without any outputs
};

JudgedPair judge_iterations(const FunctionAccuracy& function, const PairAccuracy& pair, const ComparePlan& plan,
                            Agreement& agreement, base::Log& log) {
  JudgedPair judged{function.function, pair.first, pair.second, {}};
  std::set<std::string> warned;
  for (std::size_t i = 0; i < pair.iterations.size(); ++i) {
    const std::size_t before = judged.outputs.size();
    bool passed = true;
    for (const OutputJudgement& output : pair.iterations[i]) {
      auto row = judge_output(function.function, output, plan.options, warned, log);
      if (!row) continue;
      row->iteration = i;
      passed &= row->passed;
      judged.outputs.push_back(*std::move(row));
    }
    if (pair.iterations[i].empty()) {
      passed = false;
      log.error("    FAILED | {} | Iteration {} has no outputs that could be compared", name_of(function), i);
    } else if (judged.outputs.size() == before) {
      continue;
    }
    ++agreement.judged;
    agreement.agreed += passed ? 1 : 0;
    if (!passed && plan.fail_fast) break;
  }
  return judged;
}

// Judges all pairs of a function. Returns nothing if none of its outputs can be judged.
std::optional<bool> judge_function(const FunctionAccuracy& function, const ComparePlan& plan,
                                   std::vector<JudgedPair>& judged, base::Log& log) {
  std::optional<bool> all;
  for (const PairAccuracy& pair : function.pairs) {
    bool passed = true;
    if (plan.average && function.function != nullptr) {
      JudgedPair rows = judge_pair_averages(*function.function, pair, plan.options, log);
      if (rows.outputs.empty()) continue;
      passed = std::ranges::all_of(rows.outputs, &JudgedOutput::passed);
      judged.push_back(std::move(rows));
    } else {
      Agreement agreement;
      JudgedPair rows = judge_iterations(function, pair, plan, agreement, log);
      if (agreement.judged == 0) continue;
      passed = agreement.agreed == agreement.judged;
      log.log(level_of(passed), "{} | {} | {} and {} | {} of {} iterations agree", word_of(passed), name_of(function),
              pair.first, pair.second, agreement.agreed, agreement.judged);
      judged.push_back(std::move(rows));
    }
    all = all.value_or(true) && passed;
    if (!passed && plan.fail_fast) break;
  }
  return all;
}

// Returns true if these are results of the function `wish`.
bool are_of(const FunctionAccuracy& results, const CompareFunction* wish) {
  if (!results.unknown_class.empty()) return false;
  return results.function == nullptr ? wish->metrics().empty() : wish == results.function;
}

// Returns true if the plan names the function.
bool is_wanted(const FunctionAccuracy& function, const ComparePlan& plan) {
  return std::ranges::any_of(plan.functions, [&](const CompareFunction* wish) { return are_of(function, wish); });
}

// Checks that the file has results of every function that the plan names, all of which must pass.
base::Status check_all_saved(const AccuracyResults& results, const ComparePlan& plan) {
  for (const CompareFunction* wish : plan.functions) {
    if (std::ranges::any_of(results.functions, [&](const auto& saved) { return are_of(saved, wish); })) continue;
    return base::fail(base::ErrorKind::not_found, fmt::format("the file has no results of {}", wish->name), {},
                      "Name only saved comparisons with --compare");
  }
  return {};
}

}  // namespace

bool judge_averages(const FunctionAccuracy& function, const CompareOptions& options, base::Log& log) {
  bool all = true;
  for (const PairAccuracy& pair : function.pairs) {
    const JudgedPair judged = judge_pair_averages(*function.function, pair, options, log);
    all &= std::ranges::all_of(judged.outputs, &JudgedOutput::passed);
  }
  return all;
}

base::Expected<JudgedResults> judge_saved(const AccuracyResults& results, const ComparePlan& plan, base::Log& log) {
  JudgedResults judged{.passed = true, .pairs = {}};
  for (std::size_t i = 0; i < results.functions.size(); ++i) {
    const FunctionAccuracy& function = results.functions[i];
    if (!function.unknown_class.empty()) {
      log.warning("Skipped: results of the class {}, which Assay doesn't know", function.unknown_class);
      continue;
    }
    if (!is_wanted(function, plan)) {
      log.info("Skipped: results of {}, which --compare does not name",
               function.function == nullptr ? "plain verdicts" : function.function->name);
      continue;
    }
    const auto passed = judge_function(function, plan, judged.pairs, log);
    if (!passed) continue;
    judged.functions.push_back(i);
    judged.passed = judged.passed && *passed;
    if (!*passed && plan.fail_fast) break;
  }
  if (judged.functions.empty()) {
    return base::fail(base::ErrorKind::not_found, "nothing in the file can be judged by these thresholds", {},
                      "Name the saved comparisons with --compare, and for simple a statistic with --check-error-stat");
  }
  ASSAY_TRY(check_all_saved(results, plan));
  return judged;
}

JudgedResults saved_judgements(const AccuracyResults& results) {
  JudgedResults saved{.passed = true, .pairs = {}};
  for (const FunctionAccuracy& function : results.functions) {
    if (!function.unknown_class.empty()) continue;
    for (const PairAccuracy& pair : function.pairs) {
      JudgedPair& rows = saved.pairs.emplace_back(JudgedPair{function.function, pair.first, pair.second, {}});
      for (std::size_t i = 0; i < pair.iterations.size(); ++i) {
        for (const auto& [output, judgement] : pair.iterations[i]) {
          const Measured measured = judgement.measured.value_or(Measured{});
          rows.outputs.push_back({output, i, measured.values, measured.thresholds, judgement.passed});
          saved.passed = saved.passed && judgement.passed;
        }
      }
    }
  }
  return saved;
}

AccuracyResults judged_results(AccuracyResults results, const JudgedResults& judged, const ComparePlan& plan) {
  AccuracyResults all_kept;
  for (const std::size_t i : judged.functions) {
    FunctionAccuracy& kept = all_kept.functions.emplace_back(std::move(results.functions[i]));
    kept.average = plan.average;
    for (PairAccuracy& pair : kept.pairs) {
      for (OutputJudgement& output : pair.iterations | std::views::join) {
        auto& measured = output.judgement.measured;
        if (!measured) continue;
        std::vector<double> thresholds = thresholds_of(*kept.function, output.output, plan.options);
        const auto passed = judge(*kept.function, measured->values, thresholds);
        if (!passed) continue;
        measured->thresholds = std::move(thresholds);
        output.judgement.passed = *passed;
      }
    }
  }
  return all_kept;
}

}  // namespace assay::compare
