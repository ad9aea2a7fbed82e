// What is the minimal case? `debug reduce` runs as a command, because its own journal then resumes it, and because the
// user can run the same command again. It reduces the piece that was located, if there is one, or else the model.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <system_error>

#include "base/counted.h"
#include "base/seconds.h"
#include "diagnose/commands.h"
#include "diagnose/steps.h"
#include "diagnose/trial.h"
#include "diagnose/values_at_cuts.h"
#include "model/load.h"
#include "reduce/verdicts/count_nodes.h"
#include "report/list_nodes.h"
#include "worker/models/model_source.h"

namespace assay::diagnose {
namespace {

using report::Mark;

constexpr double kReserve = 0.85;  // of its time is for the reduction; the rest for the bug report
constexpr std::size_t kShownNodes = 60;

base::Status read_result(const std::string& file, Minimal& minimal) {
  ASSAY_ASSIGN(const model::Model model, model::load(file));
  minimal.file = file;
  minimal.nodes = static_cast<int>(reduce::count_all_nodes(model));
  minimal.lines =
      report::describe_nodes(model, kShownNodes, report::ListConstants::no);  // values for debug reduce, too
  return {};
}

// Adds what the reduction asked and found out, what each pass removed, and why each node is needed.
void add_evidence(report::Page& page, report::PageStep& answer, Minimal& minimal) {
  report::PageTable questions{.title = "The reduction", .columns = {"Question", "Answer"}, .rows = {}};
  for (report::PageStep& step : page.steps) {
    questions.rows.push_back({step.question, step.answer});
  }
  if (!questions.rows.empty()) answer.tables.push_back(std::move(questions));
  for (report::PageStep& step : page.steps) std::ranges::move(step.tables, std::back_inserter(answer.tables));
  std::ranges::move(page.tables, std::back_inserter(answer.tables));
  minimal.checks = std::move(page.checks);
  if (page.minimal_case) minimal.proof = std::move(page.minimal_case->tables);
}

// An engine may refuse several nodes and say why for each of them, each in a line of its own. The reduction keeps one
// of them, so its reason is the one to name.
base::Status take_reason(const Case& task, Facts& facts, StepContext& context) {
  if (facts.failure != Failure::refused || facts.phase != "load" || facts.hung_s > 0) return {};
  ASSAY_ASSIGN(const model::Model model, model::load(facts.minimal.file));
  ASSAY_ASSIGN(const worker::ModelSource source, worker::model_source(model));
  const run::EngineSetup& engine = task.sides.at(static_cast<std::size_t>(facts.side)).setup;
  ASSAY_ASSIGN(const Trial trial, try_engine(engine, source, {}, context.pool, context.log));
  const std::string reason = trial.phase == facts.phase && trial.signal == 0 ? in_few_words(trial) : "";
  if (!reason.empty() && facts.details.find(reason) != std::string::npos) facts.message = reason;
  return {};
}

bool is_asked(const Facts& facts) {
  return facts.failure != Failure::none || facts.defect_is_official;
}

}  // namespace

base::Expected<report::PageStep> reduce_model(const Case& task, Facts& facts, StepContext& context) {
  if (!is_asked(facts)) return make_answer(Mark::skipped, "not asked: nothing fails");
  if (comes_from_input(facts)) return make_answer(Mark::skipped, "not asked: any model that reads that input fails");
  const std::string file = (task.folder / "minimal.onnx").string();
  const std::string candidate = (task.folder / kCandidate).string();
  const std::filesystem::path folder = task.folder / "bug_report";
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);  // of a step that was interrupted
  const std::filesystem::path inputs = task.folder / "reduction_inputs.json";
  if (needs_values_at_cuts(task, facts)) {
    context.log.info("Computing the values of tensors, as inputs of the parts of the model");
    ASSAY_TRY(save_values_at_cuts(task, facts, context, inputs));
  }
  Reduction reduction = reduction_of(task, facts, inputs);
  std::vector<std::string> words = reduction.words;
  const auto add = [&](const std::vector<std::string>& more) { words.insert(words.end(), more.begin(), more.end()); };
  add({"-o", file, "--iter-artifact", candidate, "--repro", folder.string()});
  const double left = context.seconds - base::seconds_since(context.begin);
  const double time_limit = std::round(std::max(1.0, left * kReserve));
  if (context.seconds > 0) add({"--time-limit", fmt::format("{:.0f}", time_limit)});
  for (std::string& word : reduction.check) {
    if (word == kCandidate) word = candidate;
  }
  words.emplace_back("--check");
  add(reduction.check);

  const auto start = std::chrono::steady_clock::now();
  CommandResult result = context.assay(words);
  const double seconds = base::seconds_since(start);
  facts.minimal.complete = context.seconds <= 0 || seconds < time_limit;
  facts.minimal.command = "assay " + task.quote(words);
  for (std::string& word : reduction.check) {
    if (word == candidate) word = file;
    if (word == task.program.string()) word = "assay";  // shorter for people
  }
  facts.minimal.check = task.quote(reduction.check);
  if (result.status != 0 && !std::filesystem::exists(file, ignored)) {
    return make_answer(Mark::unknown, "don't know: the reduction failed: " +
                                          (result.error ? result.error->message() : "the log says why"));
  }
  ASSAY_TRY(read_result(file, facts.minimal));
  ASSAY_TRY(take_reason(task, facts, context));
  if (std::filesystem::exists(folder, ignored)) facts.minimal.folder = folder.string();
  report::PageStep answer =
      make_answer(facts.minimal.complete ? Mark::good : Mark::unknown,
                  fmt::format("{}{}: {}", base::counted(facts.minimal.nodes, "node"),
                              facts.minimal.complete ? "" : " so far, since the budget ended", file));
  report::PageTable table{.title = "Nodes of the minimal case", .columns = {"Node"}, .rows = {}};
  for (const std::string& line : facts.minimal.lines) table.rows.push_back({line});
  answer.tables.push_back(std::move(table));
  add_evidence(result.page, answer, facts.minimal);
  return answer;
}

}  // namespace assay::diagnose
