// One Locator takes the steps that locate.h lists. Two cases leave the straight path:
//   - Marking tensors can reveal that an engine is random although its outputs were stable. The other side is then
//     replaced by the same engine, and the search runs once more. Each question is then asked several times, since
//     equal values may be chance.
//   - An engine that doesn't round to float16 between nodes can keep a difference from reaching the outputs. Then the
//     inside is searched although the outputs agree.
// Once the outputs are known to differ, a requested stop is no error: the steps end, and the result says how far they
// got.
#include "locate/locate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>

#include "base/capitalised.h"
#include "base/list_first.h"
#include "base/seconds.h"
#include "locate/ask_tensorrt.h"
#include "locate/find_place.h"
#include "locate/layers.h"
#include "locate/note_on_float16.h"
#include "locate/note_on_outputs.h"
#include "locate/run_unchanged.h"
#include "locate/sides/explain_outputs.h"
#include "locate/sides/pass_through.h"
#include "locate/sides/sides.h"
#include "model/random_operators.h"

namespace assay::locate {
namespace {

using base::ErrorKind;
using Outcome = Location::Outcome;

constexpr int kUsualRepeats = 3;  // runs of the unchanged model that the limit of runs includes

// A random engine may return equal values by chance, so it runs this often before it counts as agreeing with itself. If
// only 4 of 10 runs show the failure, one question in 3,500 gets a wrong answer, and a wrong one names a wrong node.
constexpr int kRandomAsked = 16;

// Says which outputs of the model the other side lacks; empty if it has all.
std::string note_on_missing(const LocateInput& input, const Skeleton& skeleton) {
  std::vector<std::string> names;
  for (const auto& output : input.model.graph().output()) {
    if (std::ranges::count(skeleton.missing, output.name()) > 0) names.push_back("'" + output.name() + "'");
  }
  if (names.empty()) return {};
  constexpr std::size_t kMostNamed = 10;
  return fmt::format("Not compared, since {}: {}",
                     input.golden ? "the saved results lack them" : "no node of the other model computes them",
                     base::list_first(names, kMostNamed, ", "));
}

class Locator {
 public:
  Locator(const LocateInput& input, const LocateOptions& options, worker::Pool& pool, base::Log& log,
          const base::Stop& stop)
      : input_(input), options_(options), pool_(pool), log_(log), stop_(stop) {}

  base::Expected<Location> run();

 private:
  void describe_sides();
  base::Status run_unchanged();
  void compare_with_itself(std::size_t engine);
  base::Status note_rounding();
  base::Status describe_outputs();
  base::Status find_misplacing();
  void note_random_operator();

  base::Status search_difference();
  base::Status look_inside();
  base::Status search_once(const std::vector<CellId>& differing);
  base::Status ask_tensorrt();

  [[nodiscard]] NamedModel answer() const { return {.model = input_.model, .skeleton = sides_->skeleton()}; }
  [[nodiscard]] Pair& pair() const { return sides_->pair(); }

  const LocateInput& input_;
  const LocateOptions& options_;
  worker::Pool& pool_;
  base::Log& log_;
  const base::Stop& stop_;

  Location location_;
  Ledger ledger_;
  std::unique_ptr<Sides> sides_;
  UnchangedRun unchanged_;
  std::vector<std::string> swaps_;  // notes on outputs that the sides return in another order or layout
  bool rounds_ = true;              // the engine rounds float16 between nodes
};

base::Expected<Location> Locator::run() {
  const auto begin = std::chrono::steady_clock::now();
  ASSAY_ASSIGN(sides_, Sides::make(input_, pool_, stop_, ledger_, log_));
  describe_sides();
  ASSAY_TRY(run_unchanged());
  ASSAY_TRY(note_rounding());
  ASSAY_TRY(describe_outputs());
  const bool differs = location_.outcome != Outcome::agree;
  if (differs || !rounds_) {
    sides_->estimate_bytes(unchanged_.first_feeds);
    ASSAY_TRY(differs ? search_difference() : look_inside());
    ASSAY_TRY(ask_tensorrt());
    note_random_operator();
  }
  // The sides agree so far, but not all tensors inside were compared.
  if (ledger_.stopped && !differs && location_.finding.first < 0) {
    return base::fail(ErrorKind::interrupted, "stopped before anything was seen to differ");
  }
  name_weights(input_, location_);
  location_.ledger = ledger_;
  location_.seconds = base::seconds_since(begin);
  return std::move(location_);
}

void Locator::describe_sides() {
  location_.nodes = input_.model.graph().node_size();
  location_.cells = sides_->skeleton().size();
  location_.first = pair().first_name();
  location_.second = pair().second_name();
  location_.good = sides_->first_is_good() ? location_.first : location_.second;
  location_.good_is_known = sides_->good_is_known();
  ledger_.limit = run_limit(location_.nodes) + std::max(options_.repeats - kUsualRepeats, 0);
}

base::Status Locator::run_unchanged() {
  ASSAY_ASSIGN(unchanged_, locate::run_unchanged(*sides_, input_, options_, ledger_, log_));
  location_.iteration = unchanged_.iteration;
  location_.notes = unchanged_.notes;
  if (unchanged_.random_engine) {
    compare_with_itself(*unchanged_.random_engine);
  } else if (!unchanged_.differing.empty()) {
    location_.outcome = Outcome::differ;
  }
  return {};
}

void Locator::compare_with_itself(std::size_t engine) {
  location_.outcome = Outcome::random;
  location_.first = location_.second = pair().engines()[engine].runner;
  location_.random_engine = std::min(engine, input_.engines.size() - 1);
  location_.good.clear();
  location_.good_is_known = false;
  if (engine == 1) unchanged_.first_feeds = unchanged_.second_feeds;
  sides_->compare_with_itself(engine, kRandomAsked, options_.plan);
  constexpr int kRunsOfQuestion = kRandomAsked / 2;  // as the ledger counts them
  ledger_.limit = ledger_.runs + (ledger_.limit - ledger_.runs) * kRunsOfQuestion;
}

// An engine without float16 kernels computes in float32 and needn't round values between nodes, so a value that would
// be infinite elsewhere may never reach an output. A tensor that is an output is rounded at least. Therefore a run with
// everything marked is closer to real float16 than an unmarked run.
base::Status Locator::note_rounding() {
  if (input_.float16 != nullptr && location_.outcome != Outcome::random) {
    const run::EngineSetup& engine = pair().engines()[0];
    ASSAY_ASSIGN(rounds_, may_round_to_float16(engine, pool_));
    if (!rounds_) {
      location_.notes.push_back(
          fmt::format("{} does not round to float16 between nodes, so that few differences inside the model "
                      "reach the outputs; tensors inside were compared, each rounded by itself",
                      engine.runner));
    }
    if (input_.has_limited_weights()) {
      location_.notes.emplace_back(
          "Some weights were limited to float16's range, so values of inner tensors beyond it are compared as +-65504");
    }
  }
  if (input_.against == nullptr || location_.outcome != Outcome::agree) return {};
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const model::Model& model = side == 0 ? input_.model : *input_.against;
    ASSAY_ASSIGN(auto note, note_on_float16(model, pair().engines()[side], pool_));
    if (note) location_.notes.push_back(*std::move(note));
  }
  return {};
}

base::Status Locator::describe_outputs() {
  for (const std::string& name : sides_->skeleton().outputs) {
    const tensor::Tensor* one = unchanged_.answers.first.find(name);
    const tensor::Tensor* other = unchanged_.answers.second.find(name);
    if (one == nullptr || other == nullptr) continue;
    const Divergence divergence = judge(name, *one, *other, options_.plan);
    if (options_.watch) options_.watch({name, *one, *other, divergence.size});
    location_.outputs.push_back(layer_of(answer(), name, {divergence, one->describe()}));
  }
  if (location_.outcome == Outcome::differ) {
    const compare::RunOutputs first{location_.first, unchanged_.answers.first};
    const compare::RunOutputs second{location_.second, unchanged_.answers.second};
    OutputsExplained explained = explain_outputs(first, second, options_.plan);
    location_.notes.insert(location_.notes.end(), explained.notes.begin(), explained.notes.end());
    swaps_ = std::move(explained.notes);
    if (explained.all) ASSAY_TRY(find_misplacing());
  }
  if (std::string note = note_on_missing(input_, sides_->skeleton()); !note.empty()) {
    location_.notes.push_back(std::move(note));
  }
  if (std::string note = note_on_outputs(input_.model.graph()); !note.empty()) {
    location_.notes.push_back(base::capitalised(std::move(note)));
  }
  return {};
}

base::Status Locator::find_misplacing() {
  const auto look_at = [&](std::size_t engine, const model::Model& model,
                           const tensor::NamedTensors& outputs) -> base::Status {
    if (!location_.misplacing.empty()) return {};
    const run::EngineSetup& setup = pair().engines()[engine];
    const auto misplaces = misplaces_outputs(setup, model, outputs, options_.plan, pool_);
    if (!misplaces && !ledger_.note_if_stopped(misplaces.error())) return tl::make_unexpected(misplaces.error());
    if (misplaces.value_or(false)) location_.misplacing = setup.runner;
    return {};
  };
  ASSAY_TRY(look_at(0, sides_->first().model(), unchanged_.answers.second));
  return pair().has_two_engines() ? look_at(1, sides_->second().model(), unchanged_.answers.first) : base::Status();
}

void Locator::note_random_operator() {
  if (location_.outcome == Outcome::agree) return;
  for (const onnx::NodeProto& node : input_.model.graph().node()) {
    const bool named = std::ranges::find(node.output(), location_.worst_tensor.tensor) != node.output().end();
    if (!named || !model::draws_random_numbers(node)) continue;
    location_.notes.push_back(
        location_.outcome == Outcome::random
            ? fmt::format(
                  "{} draws other numbers in each run. If every such node has a seed, Assay repeats the numbers "
                  "and compares the rest of the model",
                  node.op_type())
            : fmt::format("{} draws random numbers, which ONNX leaves to the engine. To compare the rest of the model, "
                          "make its output an input of the model",
                          node.op_type()));
  }
}

// If the sides turn out to differ because one of them is random, that one is searched instead.
base::Status Locator::search_difference() {
  const bool was_random = location_.outcome == Outcome::random;
  ASSAY_TRY(search_once(unchanged_.differing));
  return location_.outcome == Outcome::random && !was_random ? search_once(unchanged_.differing) : base::Status();
}

base::Status Locator::look_inside() {
  std::vector<CellId> outputs;
  for (const std::string& name : sides_->skeleton().outputs) outputs.push_back(sides_->skeleton().cell_of.at(name));
  std::ranges::sort(outputs);
  return search_once(outputs);
}

base::Status Locator::search_once(const std::vector<CellId>& differing) {
  const PlaceTask task{.input = input_,
                       .options = options_,
                       .sides = *sides_,
                       .unchanged = unchanged_,
                       .rounds = rounds_,
                       .ledger = ledger_,
                       .log = log_};
  ASSAY_ASSIGN(const std::optional<std::size_t> random_engine, find_place(task, differing, location_));
  if (!random_engine) return {};
  // The answer so far compares the outputs of the two sides. Those of one engine are the same in every run.
  location_.outputs.clear();
  location_.misplacing.clear();
  std::erase_if(location_.notes, [&](const std::string& note) { return std::ranges::count(swaps_, note) > 0; });
  location_.notes.emplace_back("Values differ from run to run only with tensors marked as outputs");
  compare_with_itself(*random_engine);
  return {};
}

base::Status Locator::ask_tensorrt() {
  if (location_.finding.first < 0 || ledger_.stopped) return {};
  const std::vector<run::EngineSetup>& engines = pair().engines();
  std::vector<AskedSide> asked_sides = {
      {engines[0], sides_->first().model(), unchanged_.first_feeds, unchanged_.answers.second}};
  if (pair().has_two_engines()) {
    asked_sides.push_back({engines[1], sides_->second().model(), unchanged_.second_feeds, unchanged_.answers.first});
  }
  const base::Status asked =
      locate::ask_tensorrt(asked_sides, input_.model, sides_->skeleton(), options_.plan, pool_, location_);
  return !asked && ledger_.note_if_stopped(asked.error()) ? base::Status() : asked;
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
