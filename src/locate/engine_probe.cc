#include "locate/engine_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "base/counted.h"
#include "locate/piece_feeds.h"
#include "worker/telling_line.h"

namespace assay::locate {

using base::ErrorKind;
using Names = std::vector<std::string>;

EngineProbe::EngineProbe(Setting setting, Answers unmarked)
    : setting_(std::move(setting)),
      unmarked_(std::move(unmarked)),
      fetcher_({.pair = setting_.pair,
                .skeleton = setting_.skeleton,
                .models = setting_.models,
                .ledger = setting_.ledger,
                .log = setting_.log,
                .memory_budget = setting_.memory_budget}),
      reader_(setting_.skeleton, setting_.plan, setting_.models.float16 == Float16Version::with_limited_weights) {
  setting_.models.learn(unmarked_);
}

bool EngineProbe::is_answer(const base::Error& error) {
  return setting_.ledger.note_if_stopped(error) || error.kind == ErrorKind::engine;
}

Names EngineProbe::results_of(std::span<const CellId> cells) const {
  Names names;
  for (const CellId cell : cells) {
    const Names& results = setting_.skeleton.results[static_cast<std::size_t>(cell)];
    names.insert(names.end(), results.begin(), results.end());
  }
  return names;
}

bool EngineProbe::is_disturbed(const Answers& answers) const {
  const auto changed = [&](const tensor::NamedTensors& now, const tensor::NamedTensors& before) {
    return any_differs(now, before, setting_.plan);
  };
  if (setting_.pair.is_itself()) {  // random outputs only tell whether they still are random
    return !any_differs(answers.first, answers.second, setting_.plan);
  }
  if (changed(answers.first, unmarked_.first)) return true;
  if (setting_.pair.has_two_engines() && changed(answers.second, unmarked_.second)) return true;
  return std::ranges::any_of(setting_.skeleton.outputs, [&](const std::string& name) {
    const auto differs = [&](const Answers& given) {
      return judge(name, *given.first.find(name), *given.second.find(name), setting_.plan).differs;
    };
    return differs(answers) != differs(unmarked_);
  });
}

base::Expected<bool> EngineProbe::is_random(OpenPair& open, const Question& question, const Answers& answers) {
  ASSAY_ASSIGN(const Answers again, open.run(question));
  if (any_differs(answers.first, again.first, setting_.plan)) random_engine_ = 0;
  if (setting_.pair.has_two_engines() && any_differs(answers.second, again.second, setting_.plan)) random_engine_ = 1;
  return random_engine_.has_value();
}

base::Expected<WholeAnswer> EngineProbe::run_whole(std::span<const CellId> marked) {
  const Names names = results_of(marked);
  setting_.ledger.announce_run("the whole model, " + base::counted(std::ssize(names), "tensor") + " marked",
                               setting_.log);
  ASSAY_ASSIGN(const Question question, setting_.models.whole(names));
  WholeAnswer answer;
  auto open = setting_.pair.open(question);
  if (!open) ++setting_.ledger.runs;
  auto answers = open ? open->run(question) : tl::make_unexpected(open.error());
  if (!answers) {
    if (!is_answer(answers.error())) return tl::make_unexpected(answers.error());
    answer.refused = true;
    if (setting_.ledger.stopped) return answer;
    refusal_ = worker::telling_line(answers.error().message());
    fetcher_.stop_prefetching();
    setting_.log.warning("With these tensors marked, an engine fails: {}", refusal_);
    return answer;
  }
  answer.disturbed = is_disturbed(*answers);
  if (answer.disturbed && !setting_.pair.is_itself() && runs_left() > 0) {
    const auto random = is_random(*open, question, *answers);
    if (!random && !setting_.ledger.note_if_stopped(random.error())) return tl::make_unexpected(random.error());
    if (random.value_or(false))
      return base::fail(ErrorKind::engine, "an engine returned different values for the same inputs");
  }
  fetcher_.keep(*answers);
  for (const Reading& reading : reader_.read(*answers, seen_.in_model, setting_.watch)) {
    if (std::ranges::binary_search(marked, reading.cell)) answer.readings.push_back(reading);
  }
  return answer;
}

template <class MakePart>
base::Status EngineProbe::add_parts(Question& question, const MakePart& make_part) {
  const PieceFeeds feeds{fetcher_.values(), setting_.models};
  const auto add = [&](const SideModel& side, FedPart& fed) -> base::Status {
    ASSAY_ASSIGN(fed.part, make_part(side));
    ASSAY_ASSIGN(fed.feeds, feeds.of(side, fed.part.inputs));
    return {};
  };
  ASSAY_TRY(add(setting_.models.first, question.first));
  return setting_.models.second ? add(*setting_.models.second, question.second.emplace()) : base::Status();
}

base::Expected<Question> EngineProbe::prepare_piece(std::span<const CellId> cells) {
  const Skeleton& skeleton = setting_.skeleton;
  const std::set<CellId> inside(cells.begin(), cells.end());
  std::set<std::string, std::less<>> given;
  for (const auto& [name, cell] : skeleton.cell_of) {
    if (!inside.contains(cell)) given.insert(name);
  }
  Question question;
  question.names = setting_.named.leaving(results_of(cells), given);
  Names reads = setting_.models.first.builder.reads(question.names, given);
  if (setting_.models.second) {
    const Names others = setting_.models.second->builder.reads(question.names, given);
    reads.insert(reads.end(), others.begin(), others.end());
  }
  std::erase_if(reads, [&](const std::string& name) { return !skeleton.cell_of.contains(name); });
  ASSAY_TRY(fetcher_.need(reads));
  ASSAY_TRY(add_parts(question, [&](const SideModel& side) -> base::Expected<Part> {
    const Names inputs = side.builder.reads(question.names, given);
    return side.builder.piece(question.names, given, choose_constants(inputs, skeleton, fetcher_.values()));
  }));
  return question;
}

base::Expected<Readings> EngineProbe::ask(const Question& question, SeenByName& seen, const std::string& what) {
  setting_.ledger.announce_run(what, setting_.log);
  auto answers = setting_.pair.run(question);
  if (!answers) {
    if (!is_answer(answers.error())) return tl::make_unexpected(std::move(answers).error());
    if (!setting_.ledger.stopped) {
      setting_.log.warning("    An engine fails: {}", worker::telling_line(answers.error().message()));
    }
    return std::nullopt;
  }
  std::vector<Reading> readings = reader_.read(*answers, seen);
  const auto bad = std::ranges::count_if(readings, &Reading::differs);
  setting_.log.info("    {}", bad == 0
                                  ? "Both agree"
                                  : fmt::format("{} of {} differ{}", bad, base::counted(std::ssize(readings), "result"),
                                                bad == 1 ? "s" : ""));
  return readings;
}

base::Expected<bool> EngineProbe::can_ask(const base::Expected<Question>& question) {
  if (question) return runs_left() > 0;
  const base::Error& error = question.error();
  if (!is_answer(error) && error.kind != ErrorKind::not_found) return tl::make_unexpected(error);
  if (!setting_.ledger.stopped) {
    setting_.log.warning("A piece is skipped: {}", worker::telling_line(error.message()));
  }
  return false;
}

base::Expected<Readings> EngineProbe::run_piece(std::span<const CellId> cells) {
  const auto question = prepare_piece(cells);
  ASSAY_ASSIGN(const bool is_ready, can_ask(question));
  if (!is_ready) return std::nullopt;
  const std::string what = "a piece of " + base::counted(question->first.part.nodes, "node");
  return ask(*question, cells.size() == 1 ? seen_.alone : seen_.in_pieces, what);
}

base::Expected<Readings> EngineProbe::outputs_without(std::span<const CellId> cells) {
  const Names results = results_of(cells);
  const std::set<std::string, std::less<>> given(results.begin(), results.end());
  Question question;
  for (const std::string& name : setting_.skeleton.outputs) {
    if (!given.contains(name)) question.names.push_back(name);
  }
  if (question.names.empty()) return std::optional(std::vector<Reading>{});
  const base::Status added = add_parts(question, [&](const SideModel& side) -> base::Expected<Part> {
    Part part = side.builder.piece(question.names, given, {});
    ASSAY_TRY(fetcher_.read_golden(part.inputs));
    return part;
  });
  if (!added) return std::nullopt;  // values that aren't in memory aren't worth a separate run
  SeenByName ignored;               // neither in the unchanged model nor in a piece
  return ask(question, ignored, "the model with the good values of " + results.front());
}

base::Expected<Question> EngineProbe::prepare_each_alone(std::span<const CellId> cells) {
  Question question;
  question.names = results_of(cells);
  const auto make_part = [&](const SideModel& side) -> base::Expected<Part> {
    const Names reads = side.builder.reads_alone(question.names);
    Names of_cells = reads;
    std::erase_if(of_cells, [&](const std::string& name) { return !setting_.skeleton.cell_of.contains(name); });
    ASSAY_TRY(fetcher_.need(of_cells));
    return side.builder.each_alone(question.names, choose_constants(reads, setting_.skeleton, fetcher_.values()));
  };
  ASSAY_TRY(add_parts(question, make_part));
  return question;
}

base::Expected<Readings> EngineProbe::run_each_alone(std::span<const CellId> cells) {
  const auto question = prepare_each_alone(cells);
  ASSAY_ASSIGN(const bool is_ready, can_ask(question));
  if (!is_ready) return std::nullopt;
  return ask(*question, seen_.alone,
             base::counted(std::ssize(cells), "suspect") + ", each by itself with the same inputs");
}

}  // namespace assay::locate
