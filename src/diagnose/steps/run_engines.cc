// Does it run? Each engine that the user gave runs the model with its default settings. If one can't, the engines that
// weren't given are asked, too: if they run it, the model isn't at fault. That takes minutes and much memory for a
// model of gigabytes, so they aren't asked about one if the message names the node.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "base/strings.h"
#include "diagnose/commands.h"
#include "diagnose/find_sizes.h"
#include "diagnose/mentioned_node.h"
#include "diagnose/steps.h"
#include "diagnose/steps/note_refusal.h"
#include "diagnose/trial.h"
#include "model/bare_model.h"
#include "model/onnx_facts.h"
#include "tensor/tensor.h"
#include "worker/memory_watch.h"
#include "worker/models/model_source.h"

namespace assay::diagnose {
namespace {

using report::Mark;

std::vector<std::string> row_of(const Side& side, const Trial& trial, std::uint64_t peak_bytes) {
  return {side.setup.runner,
          side.setup.engine + " " + trial.version,
          trial.runs() ? "yes" : "no",
          trial.phase,
          trial.signal == 0 ? "" : fmt::format("{} ({})", trial.signal, ::strsignal(trial.signal)),
          fmt::format("{:.3f}", trial.load_s),
          fmt::format("{:.3f}", trial.run_s),
          peak_bytes == 0 ? "" : fmt::format("{:.0f}", static_cast<double>(peak_bytes) / 1e6),
          trial.failure};
}

// Returns whether a model of one Identity node with the same IR version and operator sets fails in the same way: then
// its versions are refused, or the engine is broken, and no node is to blame.
base::Expected<bool> fails_identity(const Case& task, const run::EngineSetup& engine, const Trial& failed,
                                    StepContext& context) {
  if (failed.phase == kNeverStarted) return false;
  const model::Model bare = model::bare_model(task.model.proto);
  ASSAY_ASSIGN(const worker::ModelSource source, worker::model_source(bare));
  tensor::NamedTensors feeds;
  feeds.set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {1}, {1}));
  ASSAY_ASSIGN(const Trial trial, try_engine(engine, source, {feeds}, context.pool, context.log));
  return trial.phase == failed.phase && trial.signal == failed.signal && trial.hung_s == failed.hung_s;
}

// Says what to do if the engine may be too old for the model's versions.
std::string advice_on_versions(const onnx::ModelProto& model) {
  std::vector<std::string> sets;
  for (const onnx::OperatorSetIdProto& set : model.opset_import()) {
    sets.push_back(
        fmt::format("{} {}", model::is_default_domain(set.domain()) ? "ai.onnx" : set.domain(), set.version()));
  }
  return fmt::format(
      "If the engine is too old for the model, which has IR version {} and the operator set{} {}, use a newer engine, "
      "or export the model again for older versions",
      model.ir_version(), sets.size() == 1 ? "" : "s", base::join(sets, ", "));
}

// Says with which sizes the engine runs the model, if those of the generated inputs are too small.
base::Expected<std::string> advice_on_sizes(const Case& task, const run::EngineSetup& engine,
                                            const StepContext& context) {
  ASSAY_ASSIGN(const std::string sizes, find_sizes(task, engine, context));
  if (sizes.empty()) return std::string();
  return fmt::format(
      "The dynamic dimensions of '{}' were set to 1, which is too small. The engine runs the model with --input-shapes "
      "{}",
      base::join(inputs_of_size_one(task), "', '"), sizes);
}

// Notes whether any node can be to blame, which one the engine's message names, and what the user can do.
base::Status note_cause(const Case& task, const run::EngineSetup& engine, const Trial& failed, Facts& facts,
                        StepContext& context) {
  ASSAY_ASSIGN(facts.refuses_all, fails_identity(task, engine, failed, context));
  const bool is_refused = failed.signal == 0 && failed.hung_s <= 0;
  if (facts.refuses_all) {
    if (is_refused && failed.phase == "load") facts.note = advice_on_versions(task.model.proto);
    return {};
  }
  facts.place.node = mentioned_node(task.model, failed.failure);
  facts.place.confirmed = false;
  if (is_refused && failed.phase == "run") {
    ASSAY_ASSIGN(facts.note, advice_on_sizes(task, engine, context));
  }
  return {};
}

// Returns whether a side has to run. One that the user didn't give only shows that another engine runs the model, so
// one of these is enough.
bool has_to_run(const Case& task, const Side& side, const Facts& facts) {
  if (side.is_given) return true;
  if (facts.failure != Failure::refused || facts.phase == kNeverStarted || facts.good_side != kNoSide) return false;
  return !task.is_large() || facts.place.node.text.empty();
}

// The order in which sides run: those that were given, then the quicker ones of those that are asked.
std::vector<std::size_t> order_of(const std::vector<Side>& sides) {
  std::vector<std::size_t> order(sides.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    return std::pair(!sides[i].is_given, !sides[i].is_given && is_reference(sides[i]));
  });
  return order;
}

}  // namespace

base::Expected<report::PageStep> run_engines(const Case& task, Facts& facts, StepContext& context) {
  report::PageTable table{
      .title = "Runs",
      .columns = {"Runner", "Engine", "Runs", "Phase", "Signal", "Load (s)", "Run (s)", "Memory (MB)", "Error"},
      .rows = {}};
  const std::vector<std::size_t> order = order_of(task.sides);
  for (std::size_t turn = 0; turn < order.size(); ++turn) {
    const std::size_t i = order[turn];
    const Side& side = task.sides[i];
    if (!has_to_run(task, side, facts)) continue;
    const run::EngineSetup engine = context.limited(side.setup, 1.0 / static_cast<double>(order.size() + 1 - turn));
    // If this engine hung as well, the time would be up, and what the step has found would be lost.
    const bool has_no_time = context.seconds > 0 && !engine.limits.time_s;
    if (has_no_time && facts.failure == Failure::refused) continue;
    worker::MemoryWatch memory;
    ASSAY_ASSIGN(const Trial trial, try_engine(engine, task, context));
    note_time(side.setup.runner, trial, facts);
    table.rows.push_back(row_of(side, trial, memory.peak_bytes()));
    if (trial.runs()) {
      facts.versions[side.setup.runner] = trial.version;
      if (facts.good_side == kNoSide) facts.good_side = static_cast<int>(i);
      continue;
    }
    if (!side.is_given || facts.failure != Failure::none) continue;
    note_refusal(task, static_cast<int>(i), trial, facts);
    ASSAY_TRY(note_cause(task, engine, trial, facts, context));
  }
  report::PageStep answer = make_answer(Mark::good, "yes");
  if (facts.failure == Failure::refused) {
    answer.mark = Mark::bad;
    answer.answer = "no: " + describe_refusal(task, facts);
    if (facts.good_side != kNoSide) answer.answer += fmt::format("; {} runs it", name_of(task, facts, facts.good_side));
  } else {
    facts.good_side = kNoSide;  // nothing failed, so it isn't known yet
  }
  answer.tables.push_back(std::move(table));
  return answer;
}

}  // namespace assay::diagnose
