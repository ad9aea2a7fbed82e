// The values that pieces are fed come from a run of the whole model with everything marked, if there was one. Otherwise
// they are computed in separate runs, each of which also fetches neighbouring values, as many as the memory budget
// allows.
#include "locate/engine_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "base/counted.h"
#include "tensor/float16_values.h"
#include "worker/telling_line.h"

namespace assay::locate {
namespace {

using base::ErrorKind;
using Names = std::vector<std::string>;

tensor::NamedTensors good_feeds(const EngineProbe::Setting& setting) {
  const bool first = setting.first_is_good || setting.second == nullptr;
  return first ? setting.first.feeds : setting.second->feeds;
}

}  // namespace

EngineProbe::EngineProbe(Setting setting, Answers unmarked)
    : setting_(std::move(setting)),
      unmarked_(std::move(unmarked)),
      values_(good_feeds(setting_), setting_.memory_budget) {
  learn(unmarked_);
}

bool EngineProbe::is_stop(const base::Error& error) {
  const bool stop = error.kind == ErrorKind::interrupted;
  setting_.ledger.stopped |= stop;
  return stop;
}

bool EngineProbe::is_answer(const base::Error& error) {
  return is_stop(error) || error.kind == ErrorKind::engine;
}

Names EngineProbe::results_of(std::span<const CellId> cells) const {
  Names names;
  for (const CellId cell : cells) {
    const Names& results = setting_.skeleton.results[static_cast<std::size_t>(cell)];
    names.insert(names.end(), results.begin(), results.end());
  }
  return names;
}

void EngineProbe::learn(const Answers& answers) {
  setting_.first.builder.learn(answers.first);
  if (setting_.second != nullptr) setting_.second->builder.learn(answers.second);
}

std::vector<Reading> EngineProbe::read(const Answers& answers, std::map<std::string, SeenTensor>* seen) const {
  std::map<CellId, Reading> readings;
  for (const auto& [name, value] : answers.first) {
    const auto cell = setting_.skeleton.cell_of.find(name);
    const tensor::Tensor* other = answers.second.find(name);
    if (cell == setting_.skeleton.cell_of.end() || other == nullptr) continue;
    const bool is_limited = setting_.weights_are_limited && !is_output(name);
    Divergence divergence = judge(name, value, is_limited ? tensor::limit_to_float16(*other) : *other, setting_.plan);
    Reading& reading = readings.try_emplace(cell->second, Reading{.cell = cell->second}).first->second;
    reading.differs |= divergence.differs;
    reading.size = std::max(reading.size, divergence.size);
    if (seen == &in_model_ && setting_.watch) setting_.watch({name, value, *other, divergence.size});
    if (seen != nullptr) (*seen)[name] = {std::move(divergence), value.describe()};
  }
  std::vector<Reading> list;
  for (const auto& [cell, reading] : readings) list.push_back(reading);
  return list;
}

bool EngineProbe::is_output(const std::string& name) const {
  return std::ranges::find(setting_.skeleton.outputs, name) != setting_.skeleton.outputs.end();
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

base::Expected<Question> EngineProbe::prepare_whole(const Names& marked) const {
  Question question;
  ASSAY_ASSIGN(question.first, setting_.first.builder.whole(marked));
  question.first_feeds = setting_.first.feeds;
  question.names = question.first.outputs;
  if (setting_.second != nullptr) {
    ASSAY_ASSIGN(question.second, setting_.second->builder.whole(marked));
    question.second_feeds = setting_.second->feeds;
  }
  return question;
}

void EngineProbe::keep(const Answers& answers) {
  learn(answers);
  values_.keep(setting_.first_is_good || answers.second.empty() ? answers.first : answers.second);
}

// Returns true if an engine returns other values when the same session runs again.
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
  ASSAY_ASSIGN(const Question question, prepare_whole(names));
  WholeAnswer answer;
  auto open = setting_.pair.open(question.first, question.second);
  if (!open) ++setting_.ledger.runs;
  auto answers = open ? open->run(question) : tl::make_unexpected(open.error());
  if (!answers) {
    if (!is_answer(answers.error())) return tl::make_unexpected(answers.error());
    answer.refused = true;
    if (setting_.ledger.stopped) return answer;
    refusal_ = worker::telling_line(answers.error().message());
    setting_.log.warning("With these tensors marked, an engine fails: {}", refusal_);
    return answer;
  }
  answer.disturbed = is_disturbed(*answers);
  if (answer.disturbed && !setting_.pair.is_itself() && runs_left() > 0) {
    const auto random = is_random(*open, question, *answers);
    if (!random && !is_stop(random.error())) return tl::make_unexpected(random.error());
    if (random.value_or(false))
      return base::fail(ErrorKind::engine, "an engine returned different values for the same inputs");
  }
  keep(*answers);
  for (const Reading& reading : read(*answers, &in_model_)) {
    if (std::ranges::binary_search(marked, reading.cell)) answer.readings.push_back(reading);
  }
  return answer;
}

base::Status EngineProbe::read_golden(const Names& names) {
  const Golden* golden = setting_.pair.golden();
  const Names missing = values_.missing(names);
  if (golden == nullptr || missing.empty()) return {};
  ASSAY_ASSIGN(tensor::NamedTensors values, golden->read(missing));
  if (values_.drops_others(values)) {
    ASSAY_ASSIGN(values, golden->read(names));
  }
  setting_.first.builder.learn(values);  // pieces get inputs of these shapes: TensorRT builds for fixed ones
  values_.keep(values);
  return {};
}

base::Status EngineProbe::need_values(const Names& names) {
  ASSAY_TRY(read_golden(names));
  ASSAY_TRY(run_for_values(values_.missing(names)));
  // Values that were cached may have been dropped to make room.
  return values_.missing(names).empty() ? base::Status{} : run_for_values(names);
}

// Pieces grow backwards from a cell, so what they will read next comes in the same run, as far as the budget allows.
void EngineProbe::add_results_before(CellId last, std::uint64_t bytes, Names& missing) const {
  std::unordered_set<std::string> known(missing.begin(), missing.end());
  for (CellId cell = last; cell >= 0; --cell) {
    bytes += setting_.skeleton.graph.bytes[static_cast<std::size_t>(cell)];
    if (bytes > setting_.memory_budget) return;
    for (const std::string& name : setting_.skeleton.results[static_cast<std::size_t>(cell)]) {
      if (!values_.contains(name) && known.insert(name).second) missing.push_back(name);
    }
  }
}

base::Status EngineProbe::run_for_values(Names missing) {
  std::erase_if(missing, [&](const std::string& name) { return values_.is_given(name); });
  if (missing.empty()) return {};
  if (runs_left() <= 0) return base::fail(ErrorKind::not_found, "no run is left for the value", missing.front());
  CellId last = 0;
  std::uint64_t bytes = 0;
  for (const std::string& name : missing) {
    const auto cell = setting_.skeleton.cell_of.find(name);
    if (cell == setting_.skeleton.cell_of.end()) {
      return base::fail(ErrorKind::not_found, "no value is known for the tensor", name);
    }
    last = std::max(last, cell->second);
    bytes += setting_.skeleton.graph.bytes[static_cast<std::size_t>(cell->second)];
  }
  if (refusal_.empty()) add_results_before(last, bytes, missing);
  setting_.ledger.announce_run("the values of " + base::counted(std::ssize(missing), "tensor"), setting_.log);
  ASSAY_ASSIGN(const Question question, prepare_whole(missing));
  ASSAY_ASSIGN(const Answers answers, setting_.pair.run(question));
  keep(answers);
  return {};
}

template <class MakePart>
base::Status EngineProbe::add_parts(Question& question, const MakePart& make_part) {
  const PieceFeeds feeds{values_, setting_.first, setting_.second, setting_.float16};
  const auto add = [&](const SideModel& side, Part& part, tensor::NamedTensors& fed) -> base::Status {
    ASSAY_ASSIGN(part, make_part(side));
    ASSAY_ASSIGN(fed, feeds.of(side, part.inputs));
    return {};
  };
  ASSAY_TRY(add(setting_.first, question.first, question.first_feeds));
  if (setting_.second == nullptr) return {};
  return add(*setting_.second, question.second.emplace(), question.second_feeds);
}

base::Expected<Question> EngineProbe::prepare_piece(std::span<const CellId> cells) {
  const Skeleton& skeleton = setting_.skeleton;
  const std::set<CellId> inside(cells.begin(), cells.end());
  std::set<std::string, std::less<>> given;
  for (const auto& [name, cell] : skeleton.cell_of) {
    if (!inside.contains(cell)) given.insert(name);
  }
  Question question;
  question.names = setting_.model.leaving(results_of(cells), given);
  Names reads = setting_.first.builder.reads(question.names, given);
  if (setting_.second != nullptr) {
    const Names others = setting_.second->builder.reads(question.names, given);
    reads.insert(reads.end(), others.begin(), others.end());
  }
  std::erase_if(reads, [&](const std::string& name) { return !skeleton.cell_of.contains(name); });
  ASSAY_TRY(need_values(reads));
  ASSAY_TRY(add_parts(question, [&](const SideModel& side) -> base::Expected<Part> {
    const Names inputs = side.builder.reads(question.names, given);
    return side.builder.piece(question.names, given, choose_constants(inputs, skeleton, values_));
  }));
  return question;
}

base::Expected<std::optional<std::vector<Reading>>> EngineProbe::ask(const Question& question,
                                                                     std::map<std::string, SeenTensor>* seen,
                                                                     const std::string& what) {
  setting_.ledger.announce_run(what, setting_.log);
  auto answers = setting_.pair.run(question);
  if (!answers) {
    if (!is_answer(answers.error())) return tl::make_unexpected(std::move(answers).error());
    if (!setting_.ledger.stopped) {
      setting_.log.warning("    An engine fails: {}", worker::telling_line(answers.error().message()));
    }
    return std::nullopt;
  }
  std::vector<Reading> readings = read(*answers, seen);
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

base::Expected<std::optional<std::vector<Reading>>> EngineProbe::run_piece(std::span<const CellId> cells) {
  const auto question = prepare_piece(cells);
  ASSAY_ASSIGN(const bool is_ready, can_ask(question));
  if (!is_ready) return std::nullopt;
  const std::string what = "a piece of " + base::counted(question->first.nodes, "node");
  return ask(*question, cells.size() == 1 ? &alone_ : &in_pieces_, what);
}

base::Expected<std::optional<std::vector<Reading>>> EngineProbe::outputs_without(std::span<const CellId> cells) {
  const Names results = results_of(cells);
  const std::set<std::string, std::less<>> given(results.begin(), results.end());
  Question question;
  for (const std::string& name : setting_.skeleton.outputs) {
    if (!given.contains(name)) question.names.push_back(name);
  }
  if (question.names.empty()) return std::optional(std::vector<Reading>{});
  const base::Status added = add_parts(question, [&](const SideModel& side) -> base::Expected<Part> {
    Part part = side.builder.piece(question.names, given, {});
    ASSAY_TRY(read_golden(part.inputs));
    return part;
  });
  if (!added) return std::nullopt;  // values that aren't in memory aren't worth a separate run
  return ask(question, nullptr, "the model with the good values of " + results.front());
}

base::Expected<Question> EngineProbe::prepare_each_alone(std::span<const CellId> cells) {
  Question question;
  question.names = results_of(cells);
  const auto make_part = [&](const SideModel& side) -> base::Expected<Part> {
    const Names reads = side.builder.reads_alone(question.names);
    Names of_cells = reads;
    std::erase_if(of_cells, [&](const std::string& name) { return !setting_.skeleton.cell_of.contains(name); });
    ASSAY_TRY(need_values(of_cells));
    return side.builder.each_alone(question.names, choose_constants(reads, setting_.skeleton, values_));
  };
  ASSAY_TRY(add_parts(question, make_part));
  return question;
}

base::Expected<std::optional<std::vector<Reading>>> EngineProbe::run_each_alone(std::span<const CellId> cells) {
  const auto question = prepare_each_alone(cells);
  ASSAY_ASSIGN(const bool is_ready, can_ask(question));
  if (!is_ready) return std::nullopt;
  return ask(*question, &alone_, base::counted(std::ssize(cells), "suspect") + ", each by itself with the same inputs");
}

}  // namespace assay::locate
