// One iteration is a row of results, one of each runner. Iteration by iteration, a row is made, compared and dropped,
// so memory holds one. Sequentially, whole columns are made first, as timing wants a runner to be alone, and the rows
// are compared afterwards.
#include "compare/run_and_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>

#include "base/strings.h"
#include "compare/validate_outputs.h"

namespace assay::compare {
namespace {

using Results = std::vector<std::optional<data::IterationResult>>;  // of one iteration, by runner

std::string describe_all(const tensor::NamedTensors& tensors) {
  std::vector<std::string> parts;
  for (const auto& [name, tensor] : tensors) parts.push_back(fmt::format("{} [{}]", name, tensor.describe()));
  return parts.empty() ? "none" : base::join(parts, ", ");
}

class Run {
 public:
  Run(const std::vector<std::unique_ptr<Runner>>& runners, const RunPlan& plan, base::Log& log, const base::Stop& stop)
      : runners_(runners), plan_(plan), log_(log), stop_(stop), tallies_(runners.empty() ? 0 : runners.size() - 1) {}

  base::Expected<bool> row_by_row();
  base::Expected<bool> runner_by_runner();

 private:
  struct Tally {  // of one runner and the next
    std::int64_t compared = 0;
    std::int64_t passed = 0;
  };

  [[nodiscard]] base::Status check_stop() const;
  base::Status activate_all();
  base::Expected<std::optional<tensor::NamedTensors>> next_inputs(std::int64_t index);
  base::Expected<std::optional<data::IterationResult>> run_one(Runner& runner, std::int64_t index,
                                                               const tensor::NamedTensors& inputs);
  // Saves, validates and compares a row; false where comparing should end.
  base::Expected<bool> take_row(std::int64_t index, Results& row);
  base::Expected<tensor::NamedTensors> postprocess(const tensor::NamedTensors& outputs) const;
  base::Status compare_row(std::int64_t index, const Results& row);
  void warn_of_lengths(std::int64_t index, const Results& row);
  base::Expected<std::vector<tensor::NamedTensors>> all_inputs();
  base::Expected<std::vector<std::optional<data::IterationResult>>> column(
      Runner& runner, const std::vector<tensor::NamedTensors>& inputs);
  bool summarize();

  const std::vector<std::unique_ptr<Runner>>& runners_;
  const RunPlan& plan_;
  base::Log& log_;
  const base::Stop& stop_;
  std::vector<Tally> tallies_;
  bool valid_ = true;
  bool warned_of_lengths_ = false;
};

base::Status Run::check_stop() const {
  if (!stop_.requested()) return {};
  return base::fail(base::ErrorKind::interrupted, "stopped");
}

// At the same time: engines load in processes of their own.
base::Status Run::activate_all() {
  ASSAY_TRY(check_stop());
  std::vector<std::future<base::Status>> statuses;
  for (std::size_t i = 1; i < runners_.size(); ++i) {
    statuses.push_back(std::async(runners_[i]->needs_inputs() ? std::launch::async : std::launch::deferred,
                                  [this, i] { return runners_[i]->activate(log_); }));
  }
  base::Status first = runners_.empty() ? base::Status() : runners_[0]->activate(log_);
  for (std::future<base::Status>& status : statuses) {
    base::Status other = status.get();
    if (first) first = std::move(other);
  }
  return first;
}

base::Expected<std::optional<tensor::NamedTensors>> Run::next_inputs(std::int64_t index) {
  const auto first = std::ranges::find_if(runners_, [](const auto& runner) { return runner->needs_inputs(); });
  if (first == runners_.end()) return tensor::NamedTensors{};
  ASSAY_ASSIGN(auto inputs, plan_.inputs(index, (*first)->inputs()));
  if (inputs && plan_.save_inputs) ASSAY_TRY(plan_.save_inputs(index, *inputs));
  return inputs;
}

base::Expected<std::optional<data::IterationResult>> Run::run_one(Runner& runner, std::int64_t index,
                                                                  const tensor::NamedTensors& inputs) {
  ASSAY_TRY(check_stop());
  ASSAY_ASSIGN(auto result, runner.run(index, inputs, log_));
  if (result && runner.needs_inputs() && log_.shows(base::Level::info)) {
    if (index == 0) log_.info("{} | Outputs: {}", runner.name(), describe_all(result->outputs));
    log_.verbose("{} | Iteration {} took {:.4f} ms", runner.name(), index, result->runtime_s.value_or(0) * 1e3);
  }
  return result;
}

base::Expected<tensor::NamedTensors> Run::postprocess(const tensor::NamedTensors& outputs) const {
  tensor::NamedTensors processed;
  for (const auto& [name, tensor] : outputs) {
    auto top = take_top(tensor, plan_.postprocess.of(name));
    if (!top) return base::fail(std::move(top).error().within("output '" + name + "'"));
    processed.set(name, *std::move(top));
  }
  return processed;
}

void Run::warn_of_lengths(std::int64_t index, const Results& row) {
  if (warned_of_lengths_) return;
  std::vector<std::string> ended;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!row[i]) ended.push_back(runners_[i]->name());
  }
  if (ended.empty()) return;
  warned_of_lengths_ = true;
  log_.warning("{} holds only {} iterations; what comes after is not compared with it", base::join(ended, ", "), index);
}

base::Status Run::compare_row(std::int64_t index, const Results& row) {
  if (row.size() > 1) log_.info("Iteration {}", index);
  std::optional<tensor::NamedTensors> left;
  for (std::size_t i = 0; i + 1 < row.size(); ++i) {
    if (!row[i] || !row[i + 1]) {
      left.reset();
      continue;
    }
    if (!left) {
      ASSAY_ASSIGN(left, postprocess(row[i]->outputs));
    }
    ASSAY_ASSIGN(tensor::NamedTensors right, postprocess(row[i + 1]->outputs));
    const std::string& first = runners_[i]->name();
    const std::string& second = runners_[i + 1]->name();
    if (row.size() > 2 || index == 0) log_.info("  Comparing {} and {}", first, second);
    const bool passed = compare_outputs({first, *left}, {second, right}, plan_.compare, log_);
    tallies_[i].compared += 1;
    tallies_[i].passed += passed ? 1 : 0;
    if (!passed && plan_.compare.fail_fast) break;
    left = std::move(right);
  }
  return {};
}

base::Expected<bool> Run::take_row(std::int64_t index, Results& row) {
  if (plan_.save_outputs) {
    std::vector<data::IterationResult> answered;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] && runners_[i]->needs_inputs()) answered.push_back(*row[i]);
    }
    ASSAY_TRY(plan_.save_outputs(answered));
  }
  if (plan_.validate) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i]) valid_ &= validate_outputs(runners_[i]->name(), row[i]->outputs, log_);
    }
    if (!valid_) return false;
  }
  warn_of_lengths(index, row);
  ASSAY_TRY(compare_row(index, row));
  return !(plan_.compare.fail_fast &&
           std::ranges::any_of(tallies_, [](const Tally& tally) { return tally.passed < tally.compared; }));
}

base::Expected<bool> Run::row_by_row() {
  ASSAY_TRY(activate_all());
  const bool live = std::ranges::any_of(runners_, [](const auto& runner) { return runner->needs_inputs(); });
  for (std::int64_t index = 0;; ++index) {
    ASSAY_ASSIGN(const auto inputs, next_inputs(index));
    if (!inputs) break;
    if (live && index == 0) log_.info("Inputs: {}", describe_all(*inputs));
    Results row;
    for (const auto& runner : runners_) {
      ASSAY_ASSIGN(row.emplace_back(), run_one(*runner, index, *inputs));
    }
    const auto ended = static_cast<std::size_t>(std::ranges::count_if(row, [](const auto& result) { return !result; }));
    if (!live && ended == row.size()) break;
    ASSAY_ASSIGN(const bool go_on, take_row(index, row));
    if (!go_on || (!live && ended != 0)) break;
  }
  return summarize();
}

base::Expected<std::vector<tensor::NamedTensors>> Run::all_inputs() {
  std::vector<tensor::NamedTensors> all;
  for (std::int64_t index = 0;; ++index) {
    ASSAY_ASSIGN(auto inputs, next_inputs(index));
    if (!inputs) return all;
    all.push_back(*std::move(inputs));
  }
}

base::Expected<std::vector<std::optional<data::IterationResult>>> Run::column(
    Runner& runner, const std::vector<tensor::NamedTensors>& inputs) {
  for (int i = 0; i < plan_.warm_up && runner.needs_inputs() && !inputs.empty(); ++i) {
    ASSAY_TRY(run_one(runner, 1, inputs[0]));
  }
  std::vector<std::optional<data::IterationResult>> results;
  double seconds = 0;
  for (std::int64_t index = 0; runner.needs_inputs() ? static_cast<std::size_t>(index) < inputs.size() : true;
       ++index) {
    const tensor::NamedTensors none;
    ASSAY_ASSIGN(auto result,
                 run_one(runner, index, runner.needs_inputs() ? inputs[static_cast<std::size_t>(index)] : none));
    if (!result) break;
    seconds += result->runtime_s.value_or(0);
    results.push_back(std::move(result));
  }
  if (runner.needs_inputs() && !results.empty()) {
    log_.info("{} | Completed {} iterations in {:.4g} ms | Average: {:.4g} ms", runner.name(), results.size(),
              seconds * 1e3, seconds * 1e3 / static_cast<double>(results.size()));
  }
  return results;
}

base::Expected<bool> Run::runner_by_runner() {
  std::optional<std::vector<tensor::NamedTensors>> inputs;
  std::vector<std::vector<std::optional<data::IterationResult>>> columns;
  std::size_t rows = 0;
  for (const auto& runner : runners_) {
    ASSAY_TRY(check_stop());
    ASSAY_TRY(runner->activate(log_));
    if (runner->needs_inputs() && !inputs) {
      ASSAY_ASSIGN(inputs, all_inputs());
      if (!inputs->empty()) log_.info("Inputs: {}", describe_all(inputs->front()));
    }
    ASSAY_ASSIGN(columns.emplace_back(), column(*runner, inputs.value_or(std::vector<tensor::NamedTensors>{})));
    rows = std::max(rows, columns.back().size());
    runner->deactivate();
  }
  for (std::size_t index = 0; index < rows; ++index) {
    Results row;
    for (auto& column : columns) {
      row.push_back(index < column.size() ? std::move(column[index]) : std::nullopt);
    }
    ASSAY_ASSIGN(const bool go_on, take_row(static_cast<std::int64_t>(index), row));
    if (!go_on) break;
  }
  return summarize();
}

bool Run::summarize() {
  bool passed = valid_;
  for (std::size_t i = 0; i < tallies_.size(); ++i) {
    const Tally& tally = tallies_[i];
    if (tally.compared == 0) continue;
    const bool all = tally.passed == tally.compared;
    passed &= all;
    log_.log(all ? base::Level::info : base::Level::error, "{} | {} and {} | {} of {} iterations agree",
             all ? "PASSED" : "FAILED", runners_[i]->name(), runners_[i + 1]->name(), tally.passed, tally.compared);
  }
  return passed;
}

}  // namespace

base::Expected<bool> run_and_compare(const std::vector<std::unique_ptr<Runner>>& runners, const RunPlan& plan,
                                     base::Log& log, const base::Stop& stop) {
  Run run(runners, plan, log, stop);
  return plan.sequential ? run.runner_by_runner() : run.row_by_row();
}

}  // namespace assay::compare
