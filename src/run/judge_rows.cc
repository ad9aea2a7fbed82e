// Runners are compared as a chain, each with the next one, so n runners need n - 1 comparisons. Postprocessed results
// are passed along the chain, and no runner is processed twice.
//
// With windows, an iteration arrives in parts. It agrees if all its parts do, and their accuracy results are appended
// to each other. The matcher knows all outputs, so that each is compared with the same one as without windows. A part
// may hold outputs without a partner only. This is no failure unless no part holds others.
#include "run/judge_rows.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/counted.h"
#include "base/similar_names.h"
#include "base/strings.h"
#include "compare/error_pictures.h"
#include "compare/judge_accuracy.h"
#include "compare/match_outputs.h"
#include "compare/validate_outputs.h"

namespace assay::run {
namespace {

using compare::OutputMatch;

// Returns the matches of which both outputs are present.
std::vector<OutputMatch> present(const std::vector<OutputMatch>& matches, const data::IterationResult& first,
                                 const data::IterationResult& second) {
  std::vector<OutputMatch> found;
  std::ranges::copy_if(matches, std::back_inserter(found), [&](const OutputMatch& match) {
    return first.outputs.contains(match.first) && second.outputs.contains(match.second);
  });
  return found;
}

// Removes outputs without a match.
void keep_matched(data::IterationResult& result, const std::vector<OutputMatch>& matches,
                  std::string OutputMatch::*side) {
  tensor::NamedTensors kept;
  for (const OutputMatch& match : matches) kept.set(match.*side, *result.outputs.find(match.*side));
  result.outputs = std::move(kept);
}

}  // namespace

base::Expected<data::IterationResult> RowJudge::postprocess(const data::IterationResult& answer) const {
  data::IterationResult processed = answer;
  if (plan_.postprocess_script) {
    ASSAY_ASSIGN(processed.outputs, plan_.postprocess_script(answer));
    return processed;
  }
  for (const auto& [name, tensor] : answer.outputs) {
    auto top = take_top(tensor, plan_.postprocess.of(name));
    if (!top) return base::fail(std::move(top).error().within("output '" + name + "'"));
    processed.outputs.set(name, *std::move(top));
  }
  return processed;
}

base::Expected<compare::IterationJudgement> RowJudge::judge(const data::IterationResult& first,
                                                            const data::IterationResult& second,
                                                            std::vector<OutputMatch> matches) {
  if (!plan_.compare_script) {
    for (const OutputMatch& match : matches) compared_.insert(match.first);
    return compare::judge_outputs({first.runner, first.outputs}, {second.runner, second.outputs}, std::move(matches),
                                  plan_.compare, log_);
  }
  ASSAY_ASSIGN(const data::ScriptAnswers verdicts, plan_.compare_script(first, second));
  if (verdicts.empty()) log_.warning("    The script returned no verdict, so nothing was compared");
  compare::IterationJudgement judgement;
  judgement.matches = std::move(matches);
  auto& outputs = judgement.by_function.emplace_back();
  for (const auto& [output, passed] : verdicts) {
    log_.log(passed ? base::Level::info : base::Level::error, "    {} | script | Output: '{}'",
             passed ? "PASSED" : "FAILED", output);
    outputs.push_back({output, {passed}});
    judgement.passed &= passed;
  }
  return judgement;
}

void RowJudge::warn_of_lengths(std::int64_t index, const Row& row) {
  if (warned_of_lengths_) return;
  std::vector<std::string> ended;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!row[i]) ended.push_back(names_[i]);
  }
  if (ended.empty()) return;
  warned_of_lengths_ = true;
  log_.warning("{} has only {}; later iterations are not compared with it", base::join(ended, ", "),
               base::counted(index, "iteration"));
}

void RowJudge::warn_of_unused_iterations(const std::vector<std::unique_ptr<Runner>>& runners, std::int64_t iterations) {
  if (warned_of_lengths_) return;
  for (const auto& runner : runners) {
    const std::size_t saved = runner->iteration_count().value_or(0);
    if (saved <= static_cast<std::size_t>(iterations)) continue;
    warned_of_lengths_ = true;
    log_.warning("{} has {}, but there are inputs for only {}; the others are not compared", runner->name(),
                 base::counted(static_cast<std::int64_t>(saved), "iteration"), iterations);
  }
}

void RowJudge::warn_of_names() const {
  if (compared_.empty()) return;
  const std::vector<std::string> names(compared_.begin(), compared_.end());
  std::map<std::string, std::string_view> named = plan_.compare.options.named_outputs();
  for (const auto& [output, top] : plan_.postprocess.own) named.emplace(output, "--postprocess");
  for (const auto& [output, setting] : named) {
    if (compared_.contains(output)) continue;
    const std::string hint = base::did_you_mean(names, output);
    log_.warning("No output '{}' was compared, for which {} has a value{}{}", output, setting, hint.empty() ? "" : ". ",
                 hint);
  }
}

base::Status RowJudge::save(const std::vector<std::unique_ptr<Runner>>& runners, std::int64_t index, const Row& row,
                            bool part) {
  if (!plan_.save_outputs) return {};
  std::vector<data::IterationResult> answered;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] && runners[i]->needs_inputs()) answered.push_back(*row[i]);
  }
  return plan_.save_outputs(index, answered, part);
}

base::Expected<bool> RowJudge::compare(std::int64_t index, const Row& row, const RunPart& part) {
  if (row.size() > 1) log_.info("Iteration {}", index);
  std::optional<data::IterationResult> left;
  bool all_passed = true;
  for (std::size_t i = 0; i + 1 < row.size(); ++i) {
    if (!row[i] || !row[i + 1]) {
      left.reset();
      continue;
    }
    if (!left) {
      ASSAY_ASSIGN(left, postprocess(*row[i]));
    }
    ASSAY_ASSIGN(data::IterationResult right, postprocess(*row[i + 1]));
    Pair& pair = pairs_[i];
    data::IterationResult first = *std::move(left);
    data::IterationResult second = right;
    left = std::move(right);
    auto matches = part.matcher != nullptr ? present((*part.matcher)(i, index), first, second)
                                           : compare::match_outputs(first.outputs.names(), second.outputs.names());
    if (part.partial) {
      if (matches.empty()) {
        if (!first.outputs.empty() || !second.outputs.empty()) pair.without.insert(index);
        continue;
      }
      keep_matched(first, matches, &OutputMatch::first);
      keep_matched(second, matches, &OutputMatch::second);
    }
    if (row.size() > 2 || index == 0) log_.info("  Comparing {} and {}", pair.first, pair.second);
    first.runner = pair.first;
    second.runner = pair.second;
    ASSAY_ASSIGN(compare::IterationJudgement judgement, judge(first, second, std::move(matches)));
    if (plan_.compare.pictures != nullptr) ASSAY_TRY(plan_.compare.pictures->status());
    if (plan_.watch) plan_.watch(i, first, second, judgement);
    const bool passed = judgement.passed;
    comparable_ &= passed || !std::ranges::all_of(judgement.by_function, &std::vector<compare::OutputJudgement>::empty);
    const auto [agrees, is_new] = pair.agrees.try_emplace(index, true);
    agrees->second &= passed;
    all_passed &= passed;
    if (plan_.compare.options.keep_metrics) keep(i, index, std::move(judgement));
    if (!passed && plan_.compare.fail_fast) break;
  }
  return all_passed;
}

// An iteration's parts arrive one after another, so results are appended.
void RowJudge::keep(std::size_t pair, std::int64_t index, compare::IterationJudgement judgement) {
  for (std::size_t f = 0; f < judgement.by_function.size(); ++f) {
    auto& iterations = accuracy_.functions[f].pairs[pair].iterations;
    if (iterations.size() <= static_cast<std::size_t>(index)) iterations.resize(static_cast<std::size_t>(index) + 1);
    std::ranges::move(judgement.by_function[f], std::back_inserter(iterations[static_cast<std::size_t>(index)]));
  }
}

void RowJudge::start(const std::vector<std::unique_ptr<Runner>>& runners) {
  for (const auto& runner : runners) names_.push_back(runner->name());
  for (std::size_t i = 0; i + 1 < names_.size(); ++i) pairs_.push_back({names_[i], names_[i + 1], {}, {}});
  const std::size_t functions = plan_.compare_script ? 1 : plan_.compare.functions.size();
  for (std::size_t f = 0; f < functions; ++f) {
    compare::FunctionAccuracy& kept = accuracy_.functions.emplace_back();
    const compare::CompareFunction* function = plan_.compare_script ? nullptr : plan_.compare.functions[f];
    kept.function = function == nullptr || function->metrics().empty() ? nullptr : function;
    kept.average = plan_.compare.average;
    for (const Pair& pair : pairs_) kept.pairs.push_back({pair.first, pair.second, {}});
  }
}

base::Expected<bool> RowJudge::take(const std::vector<std::unique_ptr<Runner>>& runners, std::int64_t index,
                                    const Row& row, const RunPart& part) {
  if (names_.empty()) start(runners);
  ASSAY_TRY(save(runners, index, row, part.partial));
  if (plan_.validate) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i]) valid_ &= compare::validate_outputs(names_[i], row[i]->outputs, log_);
    }
    if (!valid_ && plan_.compare.fail_fast) {
      ended_early_ = true;
      return false;
    }
  } else if (row.size() == 1 && row.front() && index == 0 && !part.partial) {
    compare::warn_of_nan(names_.front(), row.front()->outputs, log_);  // a comparison would show it
  }
  if (part.partial && (plan_.compare_script || plan_.postprocess_script)) {
    return base::fail(base::ErrorKind::unsupported,
                      "a script needs all outputs of an iteration at once, but they exceed the memory budget",
                      "--compare-func-script, --postprocess-func-script",
                      "Mark fewer tensors or raise --memory-budget");
  }
  warn_of_lengths(index, row);
  ASSAY_ASSIGN(const bool passed, compare(index, row, part));
  ended_early_ |= !passed && plan_.compare.fail_fast;
  return passed || !plan_.compare.fail_fast;
}

void RowJudge::judge_parts() {
  if (ended_early_) return;
  for (Pair& pair : pairs_) {
    for (const std::int64_t index : pair.without) {
      if (!pair.agrees.emplace(index, false).second) continue;
      comparable_ = false;
      log_.error("{} and {} returned no outputs in iteration {} that can be compared", pair.first, pair.second, index);
    }
  }
}

base::Expected<bool> RowJudge::summarize() {
  judge_parts();
  bool passed = valid_ && comparable_;  // averages don't show iterations that failed for lack of outputs
  if (plan_.compare.average) {
    for (const compare::FunctionAccuracy& function : accuracy_.functions) {
      passed &= compare::judge_averages(function, plan_.compare.options, log_);
    }
  } else {
    passed &= summarize_iterations();
  }
  if (passed || !plan_.compare.fail_fast) warn_of_names();
  if (plan_.save_accuracy) ASSAY_TRY(plan_.save_accuracy(accuracy_));
  return passed;
}

bool RowJudge::summarize_iterations() {
  bool passed = true;
  for (const Pair& pair : pairs_) {
    if (pair.agrees.empty()) continue;
    const auto agreed = std::ranges::count_if(pair.agrees, [](const auto& iteration) { return iteration.second; });
    const bool all = static_cast<std::size_t>(agreed) == pair.agrees.size();
    passed &= all;
    log_.log(all ? base::Level::info : base::Level::error, "{} | {} and {} | {} of {} iterations agree",
             all ? "PASSED" : "FAILED", pair.first, pair.second, agreed, pair.agrees.size());
  }
  return passed;
}

}  // namespace assay::run
