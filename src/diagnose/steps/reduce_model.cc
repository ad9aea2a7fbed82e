// What is the minimal case? `debug reduce` runs as a command, because its own journal then resumes it, and because the
// user can run the same command again. It reduces the piece that was located, if there is one, or else the model.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/absolute_path.h"
#include "base/counted.h"
#include "base/files.h"
#include "base/seconds.h"
#include "base/shell_text.h"
#include "diagnose/commands.h"
#include "diagnose/steps.h"
#include "diagnose/trial.h"
#include "diagnose/values_at_cuts.h"
#include "edit/changes/uncalled_functions.h"
#include "model/load.h"
#include "reduce/candidates/candidate_writer.h"
#include "reduce/candidates/count_nodes.h"
#include "report/list_nodes.h"
#include "worker/models/model_source.h"

namespace assay::diagnose {
namespace {

using report::Mark;

constexpr double kReductionShare = 0.85;  // of the step's time; the rest is for the bug report
constexpr std::size_t kShownNodes = 60;

base::Status read_result(const std::string& file, Minimal& minimal) {
  ASSAY_ASSIGN(const model::Model model, model::load(file));
  minimal.file = file;
  minimal.nodes = static_cast<int>(reduce::count_all_nodes(model));
  constexpr auto kNoConstants = report::ListConstants::no;  // they are values for debug reduce, too
  minimal.lines = report::describe_nodes(model, kShownNodes, kNoConstants);
  minimal.outer.clear();
  for (const report::ListedNode& listed : report::list_nodes(model, kShownNodes, kNoConstants).nodes) {
    if (listed.depth == 0) minimal.outer.push_back(label_of(*listed.node, listed.index));
  }
  minimal.uncalled_functions.clear();
  for (const onnx::FunctionProto* function : edit::uncalled_functions(model.proto)) {
    minimal.uncalled_functions.push_back(function->name());
  }
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
  const run::EngineSetup& engine = task.sides.at(static_cast<std::size_t>(facts.faulty_side)).setup;
  ASSAY_ASSIGN(const Trial trial, try_engine(engine, source, {}, context.pool, context.log));
  const std::string reason = trial.phase == facts.phase && trial.signal == 0 ? in_few_words(trial) : "";
  if (!reason.empty() && facts.details.find(reason) != std::string::npos) facts.message = reason;
  return {};
}

bool is_asked(const Facts& facts) {
  return facts.failure != Failure::none || facts.defect_is_official;
}

// Where the reduction of a case keeps its files.
struct Places {
  std::string result, candidate, replay;
  std::filesystem::path inputs, bug_report;
};

// In the folder of large external weights, candidates refer to them. In another folder, all would have to be copied.
std::filesystem::path place_of_candidates(const Case& task, const Facts& facts) {
  const bool has_large_data = std::ranges::any_of(*task.model.files, [](const auto& entry) {
    return !entry.first.starts_with('#') && entry.second->bytes().size() > reduce::kInlineLimit;
  });
  const std::filesystem::path& folder = task.model.data_folder;
  const bool stays = !has_large_data || !facts.place.model_file.empty() || ::access(folder.c_str(), W_OK) != 0;
  if (stays) return task.folder / run::kCandidate;
  return folder / fmt::format("{}_{}", base::absolute_path(task.folder).filename().string(), run::kCandidate);
}

Places places_of(const Case& task, const Facts& facts) {
  return {.result = (task.folder / "minimal.onnx").string(),
          .candidate = place_of_candidates(task, facts).string(),
          .replay = (task.folder / "polygraphy_debug_replay.json").string(),
          .inputs = task.folder / "reduction_inputs.json",
          .bug_report = task.folder / "bug_report"};
}

// Returns the words of the command, and sets `check` to what a user can run on the result. `time_limit`: seconds; 0:
// unlimited.
std::vector<std::string> reduction_words(const Case& task, const Facts& facts, const Places& places, double time_limit,
                                         std::string& check) {
  run::ReductionWords reduction = reduction_of(task, facts, places.inputs);
  std::vector<std::string> words = std::move(reduction.command);
  const auto add = [&](const std::vector<std::string>& more) { words.insert(words.end(), more.begin(), more.end()); };
  add({"-o", places.result, "--iter-artifact", places.candidate, "--save-debug-replay", places.replay});
  add({"--repro", places.bug_report.string()});
  if (time_limit > 0) add({"--time-limit", fmt::format("{:.0f}", time_limit)});
  std::ranges::replace(reduction.check, std::string(run::kCandidate), places.candidate);
  words.emplace_back("--check");
  add(reduction.check);
  std::ranges::replace(reduction.check, places.candidate, places.result);
  std::ranges::replace(reduction.check, task.program.string(), std::string("assay"));  // shorter for people
  check = base::shell_text(reduction.check);
  return words;
}

report::PageStep answer_of(Minimal& minimal, report::Page& page) {
  report::PageStep answer =
      make_answer(minimal.complete ? Mark::good : Mark::unknown,
                  fmt::format("{}{}: {}", base::counted(minimal.nodes, "node"),
                              minimal.complete ? "" : " so far, since the budget ended", minimal.file));
  report::PageTable table{.title = "Nodes of the minimal case", .columns = {"Node"}, .rows = {}};
  for (const std::string& line : minimal.lines) table.rows.push_back({line});
  answer.tables.push_back(std::move(table));
  add_evidence(page, answer, minimal);
  return answer;
}

}  // namespace

base::Expected<report::PageStep> reduce_model(const Case& task, Facts& facts, StepContext& context) {
  if (!is_asked(facts)) return make_answer(Mark::skipped, "not asked: nothing fails");
  if (comes_from_input(facts)) return make_answer(Mark::skipped, "not asked: any model that reads that input fails");
  if (facts.refuses_all) {
    return make_answer(Mark::skipped, "not asked: the engine can't run even a model of one Identity node");
  }
  if (facts.failure == Failure::overflows) return make_answer(Mark::skipped, "not asked: no engine is at fault");
  const Places places = places_of(task, facts);
  std::error_code ignored;
  std::filesystem::remove_all(places.bug_report, ignored);  // of a step that was interrupted
  if (needs_values_at_cuts(task, facts)) {
    context.log.info("Computing the values of tensors, as inputs of the parts of the model");
    ASSAY_TRY(save_values_at_cuts(task, facts, context, places.inputs));
  }
  const double left = context.seconds - base::seconds_since(context.begin);
  const double time_limit = context.seconds > 0 ? std::round(std::max(1.0, left * kReductionShare)) : 0;
  Minimal& minimal = facts.minimal;
  const std::vector<std::string> words = reduction_words(task, facts, places, time_limit, minimal.check);

  const auto start = std::chrono::steady_clock::now();
  CommandResult result = context.assay(words);
  minimal.complete = time_limit <= 0 || base::seconds_since(start) < time_limit;
  minimal.command = "assay " + base::shell_text(words);
  if (result.status != 0 && !base::exists(places.result)) {
    return make_answer(Mark::unknown, "don't know: the reduction failed: " +
                                          (result.error ? result.error->message() : "the log says why"));
  }
  ASSAY_TRY(read_result(places.result, minimal));
  ASSAY_TRY(take_reason(task, facts, context));
  if (base::exists(places.bug_report)) minimal.folder = places.bug_report.string();
  return answer_of(minimal, result.page);
}

}  // namespace assay::diagnose
