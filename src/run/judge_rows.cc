// Runners are compared as a chain, each with the next one, so n runners need n - 1 comparisons. Postprocessed results
// are passed along the chain, and no runner is processed twice.
//
// With windows, an iteration arrives in parts. It agrees if all its parts do, and their accuracy results are appended
// to each other. Tensors that only one of two engines computes are left out of parts: a part that holds no others would
// fail, since it has no output in common.
#include "run/judge_rows.h"

#include <algorithm>
#include <iterator>

#include "base/counted.h"
#include "base/similar_names.h"
#include "base/strings.h"
#include "compare/error_pictures.h"
#include "compare/judge_accuracy.h"
#include "compare/validate_outputs.h"

namespace assay::run {
namespace {

// Removes the outputs that the other result doesn't have.
void keep_common(data::IterationResult& first, data::IterationResult& second) {
  const auto common = [](const tensor::NamedTensors& tensors, const tensor::NamedTensors& others) {
    tensor::NamedTensors kept;
    for (const auto& [name, value] : tensors) {
      if (others.contains(name)) kept.set(name, value);
    }
    return kept;
  };
  first.outputs = common(first.outputs, second.outputs);
  second.outputs = common(second.outputs, first.outputs);
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
                                                            const data::IterationResult& second) {
  if (!plan_.compare_script) {
    for (const auto& [name, tensor] : first.outputs) compared_.insert(name);
    return compare::judge_outputs({first.runner, first.outputs}, {second.runner, second.outputs}, plan_.compare, log_);
  }
  ASSAY_ASSIGN(const data::Verdicts verdicts, plan_.compare_script(first, second));
  compare::IterationJudgement judgement;
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

base::Expected<bool> RowJudge::compare(std::int64_t index, const Row& row, bool part, const std::vector<bool>& live) {
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
    data::IterationResult other = right;
    // A tensor that only one of two engines computes has no partner in any part.
    if (part && live[i] && live[i + 1]) {
      keep_common(*left, other);
      if (other.outputs.empty()) {
        left = std::move(right);
        continue;
      }
    }
    Pair& pair = pairs_[i];
    if (row.size() > 2 || index == 0) log_.info("  Comparing {} and {}", pair.first, pair.second);
    left->runner = pair.first;
    other.runner = pair.second;
    ASSAY_ASSIGN(compare::IterationJudgement judgement, judge(*left, other));
    if (plan_.compare.pictures != nullptr) ASSAY_TRY(plan_.compare.pictures->status());
    if (plan_.watch) plan_.watch(i, *left, other, judgement);
    const bool passed = judgement.passed;
    const auto [agrees, is_new] = pair.agrees.try_emplace(index, true);
    agrees->second &= passed;
    all_passed &= passed;
    if (plan_.compare.options.keep_metrics) keep(i, index, std::move(judgement));
    if (!passed && plan_.compare.fail_fast) break;
    left = std::move(right);
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
  for (std::size_t i = 0; i + 1 < names_.size(); ++i) pairs_.push_back({names_[i], names_[i + 1], {}});
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
                                    const Row& row, bool part) {
  if (names_.empty()) start(runners);
  ASSAY_TRY(save(runners, index, row, part));
  if (plan_.validate) {
    bool valid = true;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i]) valid &= compare::validate_outputs(names_[i], row[i]->outputs, log_);
    }
    valid_ &= valid;
    if (!valid) return false;
  }
  if (part && (plan_.compare_script || plan_.postprocess_script)) {
    return base::fail(base::ErrorKind::unsupported,
                      "a script needs all outputs of an iteration at once, but they exceed the memory budget",
                      "--compare-func-script, --postprocess-func-script",
                      "Mark fewer tensors or raise --memory-budget");
  }
  warn_of_lengths(index, row);
  std::vector<bool> live;
  for (const auto& runner : runners) live.push_back(runner->needs_inputs());
  ASSAY_ASSIGN(const bool passed, compare(index, row, part, live));
  return passed || !plan_.compare.fail_fast;
}

base::Expected<bool> RowJudge::summarize() {
  bool passed = valid_;
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
