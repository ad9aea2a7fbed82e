// One iteration is a row of results, one from each runner. Iteration by iteration, a row is computed, compared and
// dropped, so only one is in memory. Sequential mode computes whole columns first, since timing needs each runner to be
// alone, and compares the rows afterwards.
#include "run/run_and_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <map>
#include <utility>

#include "base/strings.h"
#include "base/wait_status.h"
#include "run/judge_rows.h"

namespace assay::run {
namespace {

constexpr std::size_t kMostListed = 16;  // tensors named in one log line

std::string describe_all(const tensor::NamedTensors& tensors) {
  if (tensors.size() > kMostListed) {
    std::uint64_t bytes = 0;
    for (const auto& [name, tensor] : tensors) bytes += tensor.bytes().size();
    return fmt::format("{} tensors, {}", tensors.size(), base::format_bytes(bytes));
  }
  std::vector<std::string> parts;
  for (const auto& [name, tensor] : tensors) parts.push_back(fmt::format("{} [{}]", name, tensor.describe()));
  return parts.empty() ? "none" : base::join(parts, ", ");
}

class Run {
 public:
  Run(const std::vector<std::unique_ptr<Runner>>& runners, const RunPlan& plan, RunPart& part, RowJudge& judge,
      base::Log& log, const base::Stop& stop)
      : runners_(runners), plan_(plan), part_(part), judge_(judge), log_(log), stop_(stop), waits_(log) {}

  base::Expected<bool> row_by_row();
  base::Expected<bool> runner_by_runner();
  void show_timings();

 private:
  [[nodiscard]] base::Status check_stop() const;
  base::Status activate(Runner& runner);
  base::Status activate_all();
  void deactivate_all();
  base::Expected<std::optional<tensor::NamedTensors>> next_inputs(std::int64_t index);
  base::Expected<std::optional<data::IterationResult>> run(Runner& runner, std::int64_t index,
                                                           const tensor::NamedTensors& inputs);
  // run(), and logs and times it.
  base::Expected<std::optional<data::IterationResult>> run_one(Runner& runner, std::int64_t index,
                                                               const tensor::NamedTensors& inputs);
  // Performs runs that aren't measured or compared.
  base::Status warm_up(Runner& runner, const tensor::NamedTensors& inputs);
  base::Expected<std::vector<tensor::NamedTensors>> all_inputs();
  // Returns the results of one engine.
  base::Expected<Row> column(Runner& runner, const std::vector<tensor::NamedTensors>& inputs);
  // Judges a row. Returns nullopt if this run continues, else the result of the run.
  base::Expected<std::optional<bool>> take(std::int64_t index, const Row& row);
  void show_inputs(const tensor::NamedTensors& inputs);

  const std::vector<std::unique_ptr<Runner>>& runners_;
  const RunPlan& plan_;
  RunPart& part_;
  RowJudge& judge_;
  base::Log& log_;
  const base::Stop& stop_;
  base::WaitStatus waits_;
  std::map<const Runner*, std::vector<double>> seconds_;  // of each iteration
};

base::Status Run::check_stop() const {
  if (!stop_.requested()) return {};
  return base::fail(base::ErrorKind::interrupted, "stopped");
}

base::Status Run::activate(Runner& runner) {
  const base::WaitStatus::Wait wait(waits_, runner.name() + " has been loading the model");
  return runner.activate(log_);
}

// In parallel, since engines load in their own processes.
base::Status Run::activate_all() {
  ASSAY_TRY(check_stop());
  std::vector<std::future<base::Status>> statuses;
  for (std::size_t i = 1; i < runners_.size(); ++i) {
    statuses.push_back(std::async(runners_[i]->needs_inputs() ? std::launch::async : std::launch::deferred,
                                  [this, i] { return activate(*runners_[i]); }));
  }
  base::Status first = runners_.empty() ? base::Status() : activate(*runners_[0]);
  for (std::future<base::Status>& status : statuses) {
    base::Status other = status.get();
    if (first) first = std::move(other);
  }
  return first;
}

void Run::deactivate_all() {
  for (const auto& runner : runners_) runner->deactivate();
}

base::Expected<std::optional<tensor::NamedTensors>> Run::next_inputs(std::int64_t index) {
  const auto first = std::ranges::find_if(runners_, [](const auto& runner) { return runner->needs_inputs(); });
  if (first == runners_.end()) return tensor::NamedTensors{};
  ASSAY_ASSIGN(auto inputs, plan_.inputs(index, (*first)->inputs()));
  if (inputs && plan_.save_inputs) ASSAY_TRY(plan_.save_inputs(index, *inputs));
  return inputs;
}

base::Expected<std::optional<data::IterationResult>> Run::run(Runner& runner, std::int64_t index,
                                                              const tensor::NamedTensors& inputs) {
  const base::WaitStatus::Wait wait(waits_, runner.name() + " has been running the model");
  return runner.run(index, inputs, log_);
}

base::Expected<std::optional<data::IterationResult>> Run::run_one(Runner& runner, std::int64_t index,
                                                                  const tensor::NamedTensors& inputs) {
  ASSAY_TRY(check_stop());
  ASSAY_ASSIGN(auto result, run(runner, index, inputs));
  if (result && runner.needs_inputs()) seconds_[&runner].push_back(result->runtime_s.value_or(0));
  if (result && runner.needs_inputs() && log_.shows(base::Level::info)) {
    if (index == 0) log_.info("{} | Outputs: {}", runner.name(), describe_all(result->outputs));
    log_.verbose("{} | Iteration {} took {:.4f} ms", runner.name(), index, result->runtime_s.value_or(0) * 1e3);
  }
  return result;
}

base::Status Run::warm_up(Runner& runner, const tensor::NamedTensors& inputs) {
  if (plan_.warm_up == 0 || !runner.needs_inputs()) return {};
  for (int i = 0; i < plan_.warm_up; ++i) {
    ASSAY_TRY(check_stop());
    ASSAY_TRY(run(runner, 0, inputs));
  }
  log_.verbose("{} | Warm-up runs finished: {}", runner.name(), plan_.warm_up);
  return {};
}

// Logs the timings of runners that ran more than once. The timing of a part of the outputs says nothing about the
// whole.
void Run::show_timings() {
  if (part_.partial) return;
  for (const auto& runner : runners_) {
    const auto at = seconds_.find(runner.get());
    if (at == seconds_.end()) continue;
    const TimingSummary timings = summarize_timings(at->second);
    if (plan_.take_timings) plan_.take_timings(runner->name(), timings);
    if (timings.iterations < 2 && !plan_.sequential) continue;
    log_.info("{} | {}", runner->name(), describe_timings(timings));
  }
  seconds_.clear();
}

void Run::show_inputs(const tensor::NamedTensors& inputs) {
  if (part_.shows_inputs) log_.info("Inputs: {}", describe_all(inputs));
}

base::Expected<std::optional<bool>> Run::take(std::int64_t index, const Row& row) {
  ASSAY_ASSIGN(const bool continues, judge_.take(runners_, index, row, part_));
  part_.next = index + 1;
  if (!continues) return false;
  if (part_.continues && !part_.continues(row)) return true;
  return std::nullopt;
}

base::Expected<bool> Run::row_by_row() {
  ASSAY_TRY(activate_all());
  const bool live = std::ranges::any_of(runners_, [](const auto& runner) { return runner->needs_inputs(); });
  const std::int64_t first = part_.next;
  for (std::int64_t index = first;; ++index) {
    ASSAY_ASSIGN(const auto inputs, next_inputs(index));
    if (!inputs) {
      judge_.warn_of_unused_iterations(runners_, index);
      return true;
    }
    if (live && index == 0) show_inputs(*inputs);
    if (index == first) {
      for (const auto& runner : runners_) ASSAY_TRY(warm_up(*runner, *inputs));
    }
    Row row;
    for (const auto& runner : runners_) {
      ASSAY_ASSIGN(row.emplace_back(), run_one(*runner, index, *inputs));
    }
    const auto ended = static_cast<std::size_t>(std::ranges::count_if(row, [](const auto& result) { return !result; }));
    if (!live && ended == row.size()) return true;
    if (plan_.ends_before && plan_.ends_before(index + 1)) deactivate_all();
    ASSAY_ASSIGN(const std::optional<bool> end, take(index, row));
    if (end) return *end;
  }
}

base::Expected<std::vector<tensor::NamedTensors>> Run::all_inputs() {
  std::vector<tensor::NamedTensors> all;
  for (std::int64_t index = part_.next;; ++index) {
    ASSAY_TRY(check_stop());
    ASSAY_ASSIGN(auto inputs, next_inputs(index));
    if (!inputs) return all;
    all.push_back(*std::move(inputs));
  }
}

base::Expected<Row> Run::column(Runner& runner, const std::vector<tensor::NamedTensors>& inputs) {
  if (!inputs.empty()) ASSAY_TRY(warm_up(runner, inputs[0]));
  Row results;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    ASSAY_ASSIGN(results.emplace_back(), run_one(runner, part_.next + static_cast<std::int64_t>(i), inputs[i]));
  }
  show_timings();
  return results;
}

base::Expected<bool> Run::runner_by_runner() {
  const std::int64_t first = part_.next;
  std::optional<std::vector<tensor::NamedTensors>> inputs;
  std::vector<Row> columns;  // empty for saved results: they are read row by row
  std::int64_t end = first;
  for (const auto& runner : runners_) {
    ASSAY_TRY(check_stop());
    ASSAY_TRY(activate(*runner));
    Row& results = columns.emplace_back();
    if (!runner->needs_inputs()) {
      end = std::max(end, static_cast<std::int64_t>(runner->iteration_count().value_or(0)));
      continue;
    }
    if (!inputs) {
      ASSAY_ASSIGN(inputs, all_inputs());
      if (!inputs->empty()) show_inputs(inputs->front());
    }
    ASSAY_ASSIGN(results, column(*runner, *inputs));
    end = std::max(end, first + static_cast<std::int64_t>(results.size()));
    runner->deactivate();
  }
  for (std::int64_t index = first; index < end; ++index) {
    const auto at = static_cast<std::size_t>(index - first);
    Row row;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::optional<data::IterationResult>& result = row.emplace_back();
      if (!runners_[i]->needs_inputs()) {
        ASSAY_ASSIGN(result, run_one(*runners_[i], index, {}));
      } else if (at < columns[i].size()) {
        result = std::exchange(columns[i][at], std::nullopt);
      }
    }
    ASSAY_ASSIGN(const std::optional<bool> verdict, take(index, row));
    if (verdict && !*verdict) return false;
  }
  return true;
}

}  // namespace

base::Expected<bool> run_part(const std::vector<std::unique_ptr<Runner>>& runners, const RunPlan& plan, RunPart& part,
                              RowJudge& judge, base::Log& log, const base::Stop& stop) {
  Run run(runners, plan, part, judge, log, stop);
  if (plan.sequential) return run.runner_by_runner();
  auto passed = run.row_by_row();
  if (passed) run.show_timings();
  return passed;
}

base::Expected<bool> run_and_compare(const std::vector<std::unique_ptr<Runner>>& runners, const RunPlan& plan,
                                     base::Log& log, const base::Stop& stop) {
  RowJudge judge(plan, log);
  RunPart whole;
  ASSAY_TRY(run_part(runners, plan, whole, judge, log, stop));
  return judge.summarize();
}

}  // namespace assay::run
