#include "locate/run_unchanged.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/counted.h"
#include "data/fit_inputs.h"
#include "locate/repeats_in_new_sessions.h"
#include "locate/sides/judge.h"

namespace assay::locate {
namespace {

class UnchangedModel {
 public:
  UnchangedModel(Sides& sides, const LocateInput& input, const LocateOptions& options, Ledger& ledger, base::Log& log)
      : sides_(sides), input_(input), options_(options), ledger_(ledger), log_(log) {}

  base::Expected<UnchangedRun> run();

 private:
  base::Expected<Question> ask_for_outputs();
  // Fills in the inputs of that iteration and runs it. Returns nothing if there are no more inputs.
  base::Expected<std::optional<Answers>> run_iteration(std::int64_t index, OpenPair& open, Question& question);
  // Checks that the results of that iteration have all tensors that are compared.
  [[nodiscard]] base::Status check_complete(std::int64_t index, const Golden& golden) const;
  // Notes that only the first iterations of the inputs or of the saved results were compared.
  void note_lengths(std::int64_t compared, const Golden& golden);
  void take(std::int64_t index, const Question& question, Answers answers);
  [[nodiscard]] std::vector<CellId> differing_outputs() const;
  // Runs the same inputs again, until an engine turns out to be random: in the same sessions, unless the model repeats
  // its random numbers in new ones.
  base::Status repeat(OpenPair& open, const Question& question);
  [[nodiscard]] std::size_t engine_count() const { return sides_.pair().engines().size(); }

  Sides& sides_;
  const LocateInput& input_;
  const LocateOptions& options_;
  Ledger& ledger_;
  base::Log& log_;
  UnchangedRun result_;
};

base::Expected<UnchangedRun> UnchangedModel::run() {
  ASSAY_ASSIGN(Question question, ask_for_outputs());
  ASSAY_ASSIGN(OpenPair open, sides_.pair().open(question));
  for (std::int64_t index = 0;; ++index) {
    ASSAY_ASSIGN(auto answers, run_iteration(index, open, question));
    if (!answers) break;
    take(index, question, *std::move(answers));
    const bool differs = !result_.differing.empty();
    if (differs && index > 0) ledger_.limit += options_.repeats - 1;  // it runs as often as the first one did
    if (differs || index == 0) {
      const base::Status repeated = repeat(open, question);
      ledger_.stopped = differs && !repeated && repeated.error().kind == base::ErrorKind::interrupted;
      if (!repeated && !ledger_.stopped) return tl::make_unexpected(repeated.error());
    }
    if (differs || result_.random_engine) break;
  }
  return std::move(result_);
}

base::Expected<Question> UnchangedModel::ask_for_outputs() {
  Question question;
  ASSAY_ASSIGN(question.first.part, sides_.first().whole({}));
  if (sides_.pair().has_two_engines()) {
    ASSAY_ASSIGN(question.second.emplace().part, sides_.second().whole({}));
  }
  question.names = sides_.skeleton().outputs;
  return question;
}

base::Expected<std::optional<Answers>> UnchangedModel::run_iteration(std::int64_t index, OpenPair& open,
                                                                     Question& question) {
  ASSAY_ASSIGN(const auto inputs, input_.inputs(index, open.first_ports()));
  Golden* golden = sides_.pair().golden();
  const bool has_golden = golden == nullptr || static_cast<std::size_t>(index) < golden->iteration_count();
  if (!inputs || !has_golden) {
    if (golden != nullptr && (inputs || has_golden)) note_lengths(index, *golden);
    return std::nullopt;
  }
  if (index > 0) ++ledger_.limit;
  ASSAY_ASSIGN(question.first.feeds, data::fit_inputs(*inputs, open.first_ports(), log_));
  if (question.second) {
    base::SilentLog silent;  // the same model would be warned of twice
    base::Log& log = sides_.run_two_models() ? log_ : silent;
    ASSAY_ASSIGN(question.second->feeds, data::fit_inputs(*inputs, open.second_ports(), log));
  }
  if (golden != nullptr) {
    ASSAY_TRY(golden->go_to(static_cast<std::size_t>(index)));
    ASSAY_TRY(check_complete(index, *golden));
  }
  ledger_.announce_run("the unchanged model", log_);
  ASSAY_ASSIGN(Answers answers, open.run(question));
  return std::optional(std::move(answers));
}

// The search compares the tensors that iteration 0 has.
base::Status UnchangedModel::check_complete(std::int64_t index, const Golden& golden) const {
  for (const std::vector<std::string>& results : sides_.skeleton().results) {
    for (const std::string& name : results) {
      if (golden.has(name)) continue;
      return base::fail(
          base::ErrorKind::invalid_input,
          fmt::format("iteration {} of the saved results lacks the tensor '{}', which iteration 0 has", index, name),
          golden.path().string(), "Save the same tensors in each iteration, or compare only the iterations before it");
    }
  }
  return {};
}

void UnchangedModel::note_lengths(std::int64_t compared, const Golden& golden) {
  const auto saved = static_cast<std::int64_t>(golden.iteration_count());
  if (saved > compared) {
    result_.notes.push_back(fmt::format("{} has {}, but there are inputs for only {}; the others were not compared",
                                        golden.name(), base::counted(saved, "iteration"), compared));
  } else {
    result_.notes.push_back(fmt::format("{} has only {}; later inputs were not compared", golden.name(),
                                        base::counted(saved, "iteration")));
  }
}

void UnchangedModel::take(std::int64_t index, const Question& question, Answers answers) {
  result_.iteration = index;
  result_.first_feeds = question.first.feeds;
  if (question.second) result_.second_feeds = question.second->feeds;
  result_.answers = std::move(answers);
  result_.differing = differing_outputs();
}

std::vector<CellId> UnchangedModel::differing_outputs() const {
  std::vector<CellId> cells;
  for (const std::string& name : sides_.skeleton().outputs) {
    const tensor::Tensor* first = result_.answers.first.find(name);
    const tensor::Tensor* second = result_.answers.second.find(name);
    if (first == nullptr || second == nullptr) continue;
    if (judge(name, *first, *second, options_.plan).differs) cells.push_back(sides_.skeleton().cell_of.at(name));
  }
  std::ranges::sort(cells);
  const auto repeated = std::ranges::unique(cells);
  cells.erase(repeated.begin(), repeated.end());
  return cells;
}

base::Status UnchangedModel::repeat(OpenPair& open, const Question& question) {
  std::vector<double> noise(engine_count(), 0.0);  // by engine: the largest difference within the tolerances
  const bool reopens = repeats_in_new_sessions(input_.model);
  for (int i = 1; i < options_.repeats; ++i) {
    ASSAY_ASSIGN(const Answers again, reopens ? sides_.pair().run(question) : open.run(question));
    for (std::size_t engine = 0; engine < engine_count(); ++engine) {
      const tensor::NamedTensors& before = engine == 0 ? result_.answers.first : result_.answers.second;
      const tensor::NamedTensors& now = engine == 0 ? again.first : again.second;
      if (any_differs(before, now, options_.plan)) {
        result_.random_engine = engine;
        result_.answers = Answers{.first = before, .second = now};
        result_.differing = differing_outputs();
        return {};
      }
      for (const auto& [name, value] : before) {
        noise[engine] = std::max(noise[engine], judge(name, value, *now.find(name), options_.plan).error.absolute.max);
      }
    }
  }
  for (std::size_t engine = 0; engine < engine_count(); ++engine) {
    if (noise[engine] == 0) continue;
    result_.notes.push_back(
        fmt::format("{} returns different values from run to run, by up to {:.3g}: within the tolerances",
                    sides_.pair().engines()[engine].runner, noise[engine]));
  }
  return {};
}

}  // namespace

base::Expected<UnchangedRun> run_unchanged(Sides& sides, const LocateInput& input, const LocateOptions& options,
                                           Ledger& ledger, base::Log& log) {
  return UnchangedModel(sides, input, options, ledger, log).run();
}

}  // namespace assay::locate
