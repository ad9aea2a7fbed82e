#include "locate/locate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include "data/fit_inputs.h"
#include "locate/ask_tensorrt.h"
#include "locate/comparable.h"
#include "locate/engine_probe.h"
#include "locate/layers.h"
#include "locate/note_on_float16.h"
#include "locate/part_builder.h"
#include "locate/rank_births.h"
#include "locate/save_piece.h"
#include "locate/sides.h"
#include "run/is_reference.h"
#include "run/layer_precisions.h"
#include "run/rounds_to_float16.h"

namespace assay::locate {
namespace {

using base::ErrorKind;
using Verdict = Location::Verdict;

constexpr int kUsualRepeats = 3;  // runs of the unchanged model that the limit of runs includes

// A random engine may return equal values by chance, so it runs this often before it counts as agreeing with itself. If
// only 4 of 10 runs show the failure, one question in 3,500 gets a wrong answer, and a wrong one names a wrong node.
constexpr int kRandomAsked = 16;

class Locator {
 public:
  Locator(const LocateInput& input, const LocateOptions& options, worker::Pool& pool, base::Log& log,
          const base::Stop& stop)
      : input_(input), options_(options), pool_(pool), log_(log), stop_(stop) {}

  base::Expected<Location> run();

 private:
  base::Status set_up();
  base::Status run_as_it_is();
  base::Status repeat(OpenPair& open, const Question& question, const Answers& answers);
  void take_random(std::size_t engine, Answers answers);
  base::Status search_difference();
  base::Status find_out_rounding();
  base::Status note_float32();
  base::Status look_inside();
  base::Status ask_tensorrt();
  base::Status search_once(const std::vector<CellId>& differing);
  [[nodiscard]] std::vector<CellId> differing_outputs() const;
  void report(const EngineProbe& probe);
  base::Status choose_worst(EngineProbe& probe);
  // Returns the runs left except for the one that verifies the saved piece.
  [[nodiscard]] int runs_to_spare() const { return ledger_.left() - (options_.output.empty() ? 0 : 1); }
  base::Status save(EngineProbe& probe);
  [[nodiscard]] NamedModel answer() const { return {.model = input_.model, .skeleton = skeleton_}; }
  // Returns the builder of the model whose nodes the answer names.
  [[nodiscard]] const PartBuilder& named() const { return input_.float16 != nullptr ? *second_ : *first_; }

  const LocateInput& input_;
  const LocateOptions& options_;
  worker::Pool& pool_;
  base::Log& log_;
  const base::Stop& stop_;

  Location location_;
  Ledger ledger_;
  Skeleton skeleton_;
  std::unique_ptr<PartBuilder> first_;
  std::unique_ptr<PartBuilder> second_;  // of `against`; with `float16`, of the model
  std::unique_ptr<Pair> pair_;
  tensor::NamedTensors first_feeds_;
  tensor::NamedTensors second_feeds_;
  Answers unmarked_;
  bool first_is_good_ = false;
  bool rounds_ = true;                     // the engine rounds float16 between nodes
  PartBuilder* random_builder_ = nullptr;  // of the random side, if the verdict is random
};

base::Status Locator::set_up() {
  std::optional<Golden> golden;
  if (input_.golden) {
    ASSAY_ASSIGN(golden, Golden::make(input_.golden));
  }
  ASSAY_ASSIGN(skeleton_, compared_tensors(input_, golden));
  std::vector<run::EngineSetup> engines = engines_of(input_);
  if (run::is_reference(engines[0].spec)) first_is_good_ = engines.size() == 2 && !run::is_reference(engines[1].spec);
  // An engine that may compute in a lower precision than the other is the one to be doubted.
  if (engines.size() == 2 && input_.against == nullptr && run::check_lower_precision(engines[1], "float32")) {
    first_is_good_ |= !run::check_lower_precision(engines[0], "float32");
  }
  pair_ = std::make_unique<Pair>(std::move(engines), std::move(golden), pool_, stop_, ledger_, &log_);
  first_ = std::make_unique<PartBuilder>(input_.float16 != nullptr ? *input_.float16 : input_.model, skeleton_);
  if (input_.float16 != nullptr) second_ = std::make_unique<PartBuilder>(input_.model, skeleton_);
  if (input_.against != nullptr) second_ = std::make_unique<PartBuilder>(*input_.against, skeleton_);

  location_.nodes = input_.model.graph().node_size();
  location_.cells = skeleton_.size();
  location_.first = pair_->first_name();
  location_.second = pair_->second_name();
  location_.good = first_is_good_ ? location_.first : location_.second;
  location_.good_is_known = pair_->golden() != nullptr || first_is_good_ || input_.float16 != nullptr ||
                            (pair_->has_two_engines() && run::is_reference(pair_->engines()[1].spec));
  ledger_.limit = run_limit(location_.nodes) + std::max(options_.repeats - kUsualRepeats, 0);
  return {};
}

std::vector<CellId> Locator::differing_outputs() const {
  std::vector<CellId> cells;
  for (const std::string& name : skeleton_.outputs) {
    const tensor::Tensor* first = unmarked_.first.find(name);
    const tensor::Tensor* second = unmarked_.second.find(name);
    if (first == nullptr || second == nullptr) continue;
    if (judge(name, *first, *second, options_.plan).differs) cells.push_back(skeleton_.cell_of.at(name));
  }
  std::ranges::sort(cells);
  const auto repeated = std::ranges::unique(cells);
  cells.erase(repeated.begin(), repeated.end());
  return cells;
}

void Locator::take_random(std::size_t engine, Answers answers) {
  location_.verdict = Verdict::random;
  location_.first = location_.second = pair_->engines()[engine].runner;
  location_.random_engine = std::min(engine, input_.engines.size() - 1);
  location_.good.clear();
  location_.good_is_known = false;
  random_builder_ = engine == 1 && second_ != nullptr ? second_.get() : first_.get();
  if (engine == 1) first_feeds_ = second_feeds_;
  unmarked_ = std::move(answers);
  first_is_good_ = true;
  pair_->compare_with_itself(engine, kRandomAsked, options_.plan);
  constexpr int kRunsOfQuestion = kRandomAsked / 2;  // as the ledger counts them
  ledger_.limit = ledger_.runs + (ledger_.limit - ledger_.runs) * kRunsOfQuestion;
}

// Runs the same inputs again in the same sessions. `answers`: the values of the first run.
base::Status Locator::repeat(OpenPair& open, const Question& question, const Answers& answers) {
  double noise[2] = {0, 0};
  for (int i = 1; i < options_.repeats; ++i) {
    ASSAY_ASSIGN(const Answers again, open.run(question));
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      if (side == 1 && !pair_->has_two_engines()) break;
      const tensor::NamedTensors& before = side == 0 ? answers.first : answers.second;
      const tensor::NamedTensors& now = side == 0 ? again.first : again.second;
      if (any_differs(before, now, options_.plan)) {
        take_random(side, {before, now});
        return {};
      }
      for (const auto& [name, value] : before) {
        noise[side] = std::max(noise[side], judge(name, value, *now.find(name), options_.plan).error.absolute.max);
      }
    }
  }
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    if (noise[side] == 0) continue;
    location_.notes.push_back(
        fmt::format("{} returns different values from run to run, by up to {:.3g}: within the tolerances",
                    pair_->engines()[side].runner, noise[side]));
  }
  return {};
}

base::Status Locator::run_as_it_is() {
  Question question;
  ASSAY_ASSIGN(question.first, first_->whole({}));
  if (pair_->has_two_engines()) {
    ASSAY_ASSIGN(question.second, (second_ != nullptr ? *second_ : *first_).whole({}));
  }
  question.names = skeleton_.outputs;
  ASSAY_ASSIGN(OpenPair open, pair_->open(question.first, question.second));
  for (std::int64_t index = 0;; ++index) {
    ASSAY_ASSIGN(const auto inputs, input_.inputs(index, open.first_ports()));
    Golden* golden = pair_->golden();
    if (!inputs || (golden != nullptr && static_cast<std::size_t>(index) >= golden->iteration_count())) break;
    if (index > 0) ++ledger_.limit;
    ASSAY_ASSIGN(question.first_feeds, data::fit_inputs(*inputs, open.first_ports(), log_));
    base::SilentLog silent;
    if (pair_->has_two_engines()) {
      ASSAY_ASSIGN(question.second_feeds,
                   data::fit_inputs(*inputs, open.second_ports(), second_ != nullptr ? log_ : silent));
    }
    if (golden != nullptr) ASSAY_TRY(golden->go_to(static_cast<std::size_t>(index)));
    log_.info("Run {} of at most {}: the unchanged model", ledger_.runs + 1, ledger_.limit);
    ASSAY_ASSIGN(unmarked_, open.run(question));
    first_feeds_ = question.first_feeds;
    second_feeds_ = question.second_feeds;
    location_.iteration = index;
    const bool differs = !differing_outputs().empty();
    if (differs || index == 0) {
      const base::Status repeated = repeat(open, question, Answers(unmarked_));
      ledger_.stopped = differs && !repeated && repeated.error().kind == ErrorKind::interrupted;
      if (!repeated && !ledger_.stopped) return repeated;
    }
    if (location_.verdict == Verdict::random) return {};
    if (differs) {
      location_.verdict = Verdict::differ;
      return {};
    }
  }
  return {};
}

base::Status Locator::search_once(const std::vector<CellId>& differing) {
  SideModel one{random_builder_ != nullptr ? *random_builder_ : *first_, first_feeds_};
  SideModel other{second_ != nullptr ? *second_ : *first_, second_feeds_};
  EngineProbe probe({.pair = *pair_,
                     .skeleton = skeleton_,
                     .model = named(),
                     .first = one,
                     .second = pair_->has_two_engines() ? &other : nullptr,
                     .plan = options_.plan,
                     .ledger = ledger_,
                     .log = log_,
                     .memory_budget = options_.memory_budget,
                     .first_is_good = first_is_good_,
                     .float16 = input_.float16 != nullptr,
                     .watch = options_.watch},
                    unmarked_);
  auto finding = search(skeleton_.graph, differing, probe,
                        {.memory_budget = options_.memory_budget,
                         .reserved_runs = options_.output.empty() ? 0 : 1,
                         .trust_marks = !rounds_,
                         .outputs_agree = location_.verdict == Verdict::agree});
  if (!finding && probe.random_engine() >= 0) {
    location_.notes.push_back("Values differ from run to run only with tensors marked as outputs");
    take_random(static_cast<std::size_t>(probe.random_engine()), unmarked_);
    return {};
  }
  if (!finding) return tl::make_unexpected(std::move(finding).error());
  if (finding->first < 0) {
    location_.notes.push_back(describe_insides(finding->in_model));
    return {};
  }
  location_.finding = *std::move(finding);
  if (location_.verdict == Verdict::agree) location_.verdict = Verdict::differ;
  location_.refusal = probe.refusal();
  report(probe);
  const bool all_compared = location_.finding.way == Way::all_at_once || location_.finding.way == Way::windows;
  if (all_compared) {
    ASSAY_TRY(choose_worst(probe));
  } else if (location_.finding.confirmed && !pair_->is_itself() && runs_to_spare() > 0) {
    ASSAY_ASSIGN(const auto readings, probe.outputs_without(location_.finding.piece));
    if (readings && !readings->empty()) location_.only_place = std::ranges::none_of(*readings, &Reading::differs);
  }
  return save(probe);
}

base::Status Locator::choose_worst(EngineProbe& probe) {
  Finding& finding = location_.finding;
  // Only births seen in runs of single nodes can be ranked.
  if (!finding.confirmed || finding.piece.size() != 1 || pair_->is_itself()) return {};
  ASSAY_ASSIGN(const RankedBirths ranked, rank_births(finding.alone, location_.outputs, runs_to_spare(), probe));
  if (ranked.worst < 0) return {};
  finding.piece = {ranked.worst};
  location_.worst_tensor = tensor_of(answer(), probe, ranked.worst).layer;
  location_.worst_tensor.share = ranked.share_of(ranked.worst);
  location_.first_tensor.share = ranked.share_of(finding.first);
  return {};
}

base::Status Locator::search_difference() {
  const std::vector<CellId> differing = differing_outputs();
  const bool was_random = location_.verdict == Verdict::random;
  ASSAY_TRY(search_once(differing));
  return location_.verdict == Verdict::random && !was_random ? search_once(differing) : base::Status();
}

// An engine without float16 kernels computes in float32 and needn't round values between nodes, so a value that would
// be infinite elsewhere may never reach an output. A tensor that is an output is rounded at least. Therefore a run with
// everything marked is closer to real float16 than an unmarked run.
base::Status Locator::find_out_rounding() {
  const auto rounds = run::rounds_to_float16(pair_->engines()[0], pool_, run::Rounding::by_nodes);
  if (!rounds && rounds.error().kind != ErrorKind::engine) return tl::make_unexpected(rounds.error());
  rounds_ = rounds.value_or(true);
  if (rounds_) return {};
  location_.notes.push_back(
      fmt::format("{} does not round to float16 between nodes, so that few differences inside the model "
                  "reach the outputs; tensors inside were compared, each rounded by itself",
                  pair_->engines()[0].runner));
  return {};
}

base::Status Locator::note_float32() {
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const model::Model& model = side == 0 ? input_.model : *input_.against;
    ASSAY_ASSIGN(auto note, note_on_float16(model, pair_->engines()[side], pool_));
    if (note) location_.notes.push_back(*std::move(note));
  }
  return {};
}

base::Status Locator::look_inside() {
  std::vector<CellId> outputs;
  for (const std::string& name : skeleton_.outputs) outputs.push_back(skeleton_.cell_of.at(name));
  std::ranges::sort(outputs);
  return search_once(outputs);
}

base::Status Locator::ask_tensorrt() {
  if (location_.finding.first < 0 || ledger_.stopped) return {};
  const std::vector<run::EngineSetup>& engines = pair_->engines();
  std::vector<AskedSide> sides = {{engines[0], first_->model(), first_feeds_, unmarked_.second}};
  if (pair_->has_two_engines() && !pair_->is_itself()) {
    sides.push_back({engines[1], (second_ != nullptr ? *second_ : *first_).model(), second_feeds_, unmarked_.first});
  }
  const base::Status asked = locate::ask_tensorrt(sides, input_.model, skeleton_, options_.plan, pool_, location_);
  ledger_.stopped = !asked && asked.error().kind == ErrorKind::interrupted;
  return ledger_.stopped ? base::Status() : asked;
}

void Locator::report(const EngineProbe& probe) {
  const CellId first = location_.finding.first;
  SeenLayers seen = layers_of(answer(), probe, first);
  location_.layers = std::move(seen.layers);
  location_.first_seen = std::move(seen.first_seen);
  NamedTensor tensor = tensor_of(answer(), probe, first);
  location_.first_tensor = std::move(tensor.layer);
  location_.in_piece = std::move(tensor.in_piece);
  location_.worst_tensor = location_.first_tensor;
}

base::Status Locator::save(EngineProbe& probe) {
  const Finding& finding = location_.finding;
  const CellId last = finding.piece.back();
  for (std::string& note : notes_on_insides(input_.model, skeleton_.nodes[static_cast<std::size_t>(last)])) {
    location_.notes.push_back(std::move(note));
  }
  auto piece = probe.prepare_piece(finding.piece);
  if (!piece) {
    if (piece.error().kind != ErrorKind::interrupted) {
      location_.notes.push_back("The piece can't be built: " + piece.error().message());
      return {};
    }
    for (const CellId cell : finding.piece) {
      const model::NodeId node = skeleton_.nodes[static_cast<std::size_t>(cell)];
      location_.piece.push_back(model::describe_node(input_.model.graph().node(node), node));
    }
    return {};
  }
  const bool second_is_named = input_.float16 != nullptr && piece->second;
  const Part& part = second_is_named ? *piece->second : piece->first;
  for (const onnx::NodeProto& node : part.model.graph().node()) {
    const model::TensorId made = named().view().find(node.output_size() > 0 ? node.output(0) : std::string());
    location_.piece.push_back(model::describe_node(node, made == model::kNone ? -1 : named().view().producer(made)));
  }
  if (options_.output.empty()) return {};
  const bool golden = second_ != nullptr || pair_->golden() != nullptr;
  const PieceFiles files = name_files(options_.output, options_.inputs, second_ != nullptr && pair_->has_two_engines(),
                                      golden && !pair_->is_itself());
  ASSAY_ASSIGN(const PieceValues values, values_of(finding.piece, piece->names, skeleton_, probe));
  if (const base::Status saved = save_piece(*piece, values, files, options_.save); !saved) {
    // The user needs the answer most of all, so it is shown.
    location_.notes.push_back("The piece wasn't saved: " + saved.error().message());
    return {};
  }
  location_.model_file = files.model;
  location_.against_file = files.against;
  location_.inputs_file = files.inputs;
  location_.golden_file = files.golden;
  if (ledger_.left() <= 0) return {};
  log_.info("Run {} of at most {}: the saved piece, in fresh sessions", ledger_.runs + 1, ledger_.limit);
  ASSAY_ASSIGN(const std::optional<bool> differs, verify_piece(*piece, files, *pair_, options_.plan));
  location_.verified = differs.value_or(false);
  return {};
}

base::Expected<Location> Locator::run() {
  const auto begin = std::chrono::steady_clock::now();
  ASSAY_TRY(set_up());
  ASSAY_TRY(run_as_it_is());
  if (input_.float16 != nullptr && location_.verdict != Verdict::random) ASSAY_TRY(find_out_rounding());
  if (input_.against != nullptr && location_.verdict == Verdict::agree) ASSAY_TRY(note_float32());
  for (const std::string& name : skeleton_.outputs) {
    const tensor::Tensor* one = unmarked_.first.find(name);
    const tensor::Tensor* other = unmarked_.second.find(name);
    if (one == nullptr || other == nullptr) continue;
    const Divergence divergence = judge(name, *one, *other, options_.plan);
    if (options_.watch) options_.watch({name, *one, *other, divergence.size});
    location_.outputs.push_back(layer_of(answer(), name, {divergence, one->describe()}));
  }
  const bool differs = location_.verdict != Verdict::agree;
  if (differs || !rounds_) {
    estimate_bytes(skeleton_, input_.model, first_feeds_, pair_->golden() != nullptr ? 1 : 2);
    ASSAY_TRY(differs ? search_difference() : look_inside());
    ASSAY_TRY(ask_tensorrt());
  }
  name_weights(input_, location_);
  location_.ledger = ledger_;
  location_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return std::move(location_);
}

}  // namespace

int run_limit(int nodes) {
  return static_cast<int>(std::floor(2 * std::log2(static_cast<double>(std::max(nodes, 1))))) + 8;
}

base::Expected<Location> locate(const LocateInput& input, const LocateOptions& options, worker::Pool& pool,
                                base::Log& log, const base::Stop& stop) {
  return Locator(input, options, pool, log, stop).run();
}

}  // namespace assay::locate
