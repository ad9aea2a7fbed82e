#include "compare/judge_rows.h"

#include <algorithm>

#include "base/strings.h"
#include "compare/validate_outputs.h"

namespace assay::compare {

base::Expected<tensor::NamedTensors> RowJudge::postprocess(const tensor::NamedTensors& outputs) const {
  tensor::NamedTensors processed;
  for (const auto& [name, tensor] : outputs) {
    auto top = take_top(tensor, plan_.postprocess.of(name));
    if (!top) return base::fail(std::move(top).error().within("output '" + name + "'"));
    processed.set(name, *std::move(top));
  }
  return processed;
}

void RowJudge::warn_of_lengths(std::int64_t index, const Row& row) {
  if (warned_of_lengths_) return;
  std::vector<std::string> ended;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!row[i]) ended.push_back(names_[i]);
  }
  if (ended.empty()) return;
  warned_of_lengths_ = true;
  log_.warning("{} holds only {} iterations; what comes after is not compared with it", base::join(ended, ", "), index);
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

base::Expected<bool> RowJudge::compare(std::int64_t index, const Row& row) {
  if (row.size() > 1) log_.info("Iteration {}", index);
  std::optional<tensor::NamedTensors> left;
  bool all_passed = true;
  for (std::size_t i = 0; i + 1 < row.size(); ++i) {
    if (!row[i] || !row[i + 1]) {
      left.reset();
      continue;
    }
    if (!left) {
      ASSAY_ASSIGN(left, postprocess(row[i]->outputs));
    }
    ASSAY_ASSIGN(tensor::NamedTensors right, postprocess(row[i + 1]->outputs));
    Pair& pair = pairs_[i];
    if (row.size() > 2 || index == 0) log_.info("  Comparing {} and {}", pair.first, pair.second);
    const bool passed = compare_outputs({pair.first, *left}, {pair.second, right}, plan_.compare, log_);
    const auto [agrees, is_new] = pair.agrees.try_emplace(index, true);
    agrees->second &= passed;
    all_passed &= passed;
    if (!passed && plan_.compare.fail_fast) break;
    left = std::move(right);
  }
  return all_passed;
}

base::Expected<bool> RowJudge::take(const std::vector<std::unique_ptr<Runner>>& runners, std::int64_t index,
                                    const Row& row, bool part) {
  if (names_.empty()) {
    for (const auto& runner : runners) names_.push_back(runner->name());
    for (std::size_t i = 0; i + 1 < names_.size(); ++i) pairs_.push_back({names_[i], names_[i + 1], {}});
  }
  ASSAY_TRY(save(runners, index, row, part));
  if (plan_.validate) {
    bool valid = true;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i]) valid &= validate_outputs(names_[i], row[i]->outputs, log_);
    }
    valid_ &= valid;
    if (!valid) return false;
  }
  warn_of_lengths(index, row);
  ASSAY_ASSIGN(const bool passed, compare(index, row));
  return passed || !plan_.compare.fail_fast;
}

bool RowJudge::summarize() {
  bool passed = valid_;
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

}  // namespace assay::compare
