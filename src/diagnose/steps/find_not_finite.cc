// NaN or infinity? If an output has NaN, every tensor of the model becomes an output, and the NaN is followed back from
// that output to the node that computes it from values without any, or to an input. Other tensors may have NaN, too,
// but those are masked. If another side has NaN as well, the cause is the model or its inputs, not the engine; unless
// the sides differ otherwise, too: then that is the failure. Other sides are the saved results or, without those, other
// engines. If there is none, the engine itself without optimisations may still clear the model, but it can't accuse it.
// Infinities alone are often intended (masks of attention), so they are only noted. If the model is float16 and a value
// inside is too large for that, neither the engine nor the formula is the cause, but the precision.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "backend/engine_table.h"
#include "base/log.h"
#include "diagnose/commands.h"
#include "diagnose/float16_overflow.h"
#include "diagnose/has_nan.h"
#include "diagnose/mark_everything.h"
#include "diagnose/noise_floor.h"
#include "diagnose/steps.h"
#include "diagnose/steps/note_refusal.h"
#include "diagnose/steps/side_results.h"
#include "diagnose/trial.h"
#include "model/graph_view.h"
#include "model/weights.h"
#include "worker/models/model_source.h"

namespace assay::diagnose {
namespace {

using report::Mark;

// Returns the first output with NaN or, if `nan_only` is false, with infinity; empty if there is none.
std::string first_non_finite(const TensorsByIteration& outputs, bool nan_only) {
  for (const tensor::NamedTensors& iteration : outputs) {
    for (const auto& [name, value] : iteration) {
      if (nan_only ? has_nan(value) : !is_finite(value)) return name;
    }
  }
  return {};
}

// Returns false if that output holds NaN or infinity in any iteration.
bool output_is_finite(const TensorsByIteration& outputs, const std::string& output) {
  return std::ranges::none_of(outputs, [&](const tensor::NamedTensors& iteration) {
    const tensor::Tensor* const value = iteration.find(output);
    return value != nullptr && !is_finite(*value);
  });
}

struct Origin {
  NodeLabel node;      // empty if it is an input
  std::string tensor;  // empty if the origin is unknown
  std::string weight;  // of the node, that holds NaN; may be empty
};

// Returns the first weight of the node that holds NaN.
std::string weight_with_nan(const model::Model& model, const model::GraphView& view, model::NodeId node) {
  for (const model::TensorId id : view.inputs(node)) {
    const onnx::TensorProto* weight = view.initializer(id);
    if (weight == nullptr) continue;
    const auto value = model::read_weight(model, *weight);
    if (value && has_nan(*value)) return std::string(view.name(id));
  }
  return {};
}

// Follows the NaN of an output back. `values`: those of the tensors of the model, and the inputs.
Origin find_origin(const model::Model& model, const tensor::NamedTensors& values, const std::string& output) {
  const model::GraphView view(model.graph());
  const auto holds_nan = [&](model::TensorId id) {
    const tensor::Tensor* value = values.find(view.name(id));
    return value != nullptr && has_nan(*value);
  };
  std::set<model::TensorId> seen = {view.find(output)};
  std::vector<model::TensorId> pending(seen.begin(), seen.end());
  model::TensorId first = model::kNone;  // of the nodes that compute NaN from values without any
  while (!pending.empty()) {
    const model::TensorId id = pending.back();
    pending.pop_back();
    const model::NodeId node = view.producer(id);
    if (node == model::kNone) return {.node = {}, .tensor = std::string(view.name(id)), .weight = {}};
    bool is_passed_on = false;
    for (const model::TensorId input : view.inputs(node)) {
      if (!holds_nan(input)) continue;
      is_passed_on = true;
      if (seen.insert(input).second) pending.push_back(input);
    }
    if (!is_passed_on && (first == model::kNone || node < view.producer(first))) first = id;
  }
  const model::NodeId node = view.producer(first);
  return {.node = label_of(view.node(node), node),
          .tensor = std::string(view.name(first)),
          .weight = weight_with_nan(model, view, node)};
}

base::Expected<Origin> look_inside(const Case& task, const run::EngineSetup& engine, const std::string& output,
                                   StepContext& context) {
  ASSAY_ASSIGN(const model::Model marked, mark_everything(task.model, context.log));
  ASSAY_ASSIGN(const worker::ModelSource source, worker::model_source(marked));
  ASSAY_ASSIGN(const Trial trial, try_engine(engine, source, task.inputs, context.pool, context.log));
  for (std::size_t i = 0; i < trial.outputs.size(); ++i) {
    tensor::NamedTensors values = task.inputs.at(i);
    for (const auto& [name, value] : trial.outputs[i]) values.set(name, value);
    const tensor::Tensor* const value = values.find(output);
    if (value != nullptr && has_nan(*value)) return find_origin(task.model, values, output);
  }
  return Origin{};
}

struct Found {
  int side = kNoSide;
  std::string output;
  bool is_nan = false;
  TensorsByIteration outputs;  // of the side
};

// Stops at the first engine that doesn't run the model, which goes into `facts`.
base::Expected<Found> look_at_outputs(const Case& task, Facts& facts, StepContext& context) {
  Found found;
  for (std::size_t i = 0; i < task.sides.size(); ++i) {
    if (!task.sides[i].is_given) continue;
    ASSAY_ASSIGN(const Trial trial, try_engine(task.sides[i].setup, task, context));
    if (!trial.runs()) {
      note_refusal(task, static_cast<int>(i), trial, facts);
      return Found{};
    }
    for (const bool nan_only : {true, false}) {
      const std::string output = first_non_finite(trial.outputs, nan_only);
      if (output.empty()) continue;
      found = {static_cast<int>(i), output, nan_only, trial.outputs};
      break;
    }
    if (found.is_nan) break;
  }
  return found;
}

// Returns whether that output holds NaN in any iteration; nothing if there is no such output.
std::optional<bool> nan_in(const TensorsByIteration& outputs, const std::string& output) {
  std::optional<bool> holds;
  for (const tensor::NamedTensors& iteration : outputs) {
    const tensor::Tensor* const value = iteration.find(output);
    if (value != nullptr) holds = holds.value_or(false) || has_nan(*value);
  }
  return holds;
}

// The other sides, by whether they have NaN in the output in which NaN was found.
struct Others {
  int finite = kNoSide;          // a side without NaN
  int with_nan = kNoSide;        // a side with NaN
  bool agrees = true;            // all outputs of the side with NaN agree, if two NaNs are equal
  bool plain_is_finite = false;  // only asked if there is no other side: the engine without optimisations has no NaN

  void take(int side, const TensorsByIteration& outputs, const Found& found, const compare::ComparePlan& plan) {
    const std::optional<bool> holds = nan_in(outputs, found.output);
    if (!holds) return;
    (*holds ? with_nan : finite) = side;
    if (*holds) agrees = compare(found.outputs, outputs, plan).agrees;
  }
};

base::Status ask_plain(const Case& task, const Found& found, StepContext& context, Others& others) {
  const run::EngineSetup& engine = task.sides[static_cast<std::size_t>(found.side)].setup;
  const auto plain = options_for(engine, &backend::EngineRow::exact);
  if (plain.empty()) return {};
  ASSAY_ASSIGN(const Trial trial, try_engine(with_options(engine, plain), task, context));
  others.plain_is_finite = trial.runs() && nan_in(trial.outputs, found.output) == false;
  return {};
}

base::Expected<Others> ask_others(const Case& task, const Found& found, Facts& facts, StepContext& context) {
  Others others;
  if (task.golden_results) others.take(kGolden, task.golden_outputs(), found, task.plan);
  if (others.finite == kGolden || others.with_nan == kGolden) return others;  // it is known to be right
  for (std::size_t i = 0; i < task.sides.size(); ++i) {
    if (static_cast<int>(i) == found.side) continue;
    ASSAY_ASSIGN(const Trial trial, try_engine(task.sides[i].setup, task, context));
    if (!trial.runs()) continue;
    facts.versions[task.sides[i].setup.runner] = trial.version;
    others.take(static_cast<int>(i), trial.outputs, found, task.plan);
    if (others.with_nan != kNoSide) return others;
  }
  if (others.finite == kNoSide) ASSAY_TRY(ask_plain(task, found, context, others));
  return others;
}

// Returns the value that is too large for float16, if the output isn't finite in the reference evaluator, either.
base::Expected<std::optional<Overflow>> look_for_overflow(const Case& task, const Found& found, StepContext& context) {
  const run::EngineSetup* const reference = reference_of(task);
  if (reference == nullptr || precision_of(task.model) != "float16") return std::nullopt;
  const run::EngineSetup limited = context.limited(*reference, kPartOfOpinions);
  ASSAY_ASSIGN(const Trial own, try_engine(limited, task, context));
  if (!own.runs() || output_is_finite(own.outputs, found.output)) return std::nullopt;
  return find_overflow(task, limited, found.output, context);
}

std::string describe(const Origin& origin) {
  if (origin.tensor.empty()) return {};
  if (origin.node.text.empty()) return fmt::format("; it comes from the input '{}', which holds NaN", origin.tensor);
  std::string text = fmt::format("; the first NaN is in '{}', computed by {}", origin.tensor, origin.node.text);
  if (!origin.weight.empty()) text += fmt::format(", whose weight '{}' holds NaN", origin.weight);
  return text;
}

}  // namespace

base::Expected<report::PageStep> find_not_finite(const Case& task, Facts& facts, StepContext& context) {
  if (facts.failure != Failure::none) return make_answer(Mark::skipped, "not asked: the outputs can't be relied on");
  ASSAY_ASSIGN(const Found found, look_at_outputs(task, facts, context));
  if (facts.failure == Failure::refused) return make_answer(Mark::bad, "don't know: " + describe_refusal(task, facts));
  if (found.side == kNoSide) return make_answer(Mark::good, "no: all outputs are finite");
  ASSAY_ASSIGN(const std::optional<Overflow> overflow, look_for_overflow(task, found, context));
  if (overflow) {
    note_overflow(*overflow, facts);
    return make_answer(Mark::bad, fmt::format("output '{}' of {} isn't finite, but would be in float64: {}",
                                              found.output, name_of(task, facts, found.side), facts.message));
  }
  if (!found.is_nan) {
    return make_answer(Mark::note, fmt::format("output '{}' holds infinity, which may be intended", found.output));
  }
  ASSAY_ASSIGN(const Origin origin, look_inside(task, task.sides[found.side].setup, found.output, context));
  ASSAY_ASSIGN(const Others others, ask_others(task, found, facts, context));
  const std::string engine = name_of(task, facts, found.side);
  std::string text = fmt::format("output '{}' of {} holds NaN", found.output, engine) + describe(origin);
  // An engine that passes on the NaN of an input isn't suspect, even if another one drops it.
  const bool is_from_input = origin.node.text.empty() && !origin.tensor.empty();
  if (others.with_nan == kNoSide && !is_from_input && (others.finite != kNoSide || others.plain_is_finite)) {
    text += others.plain_is_finite ? "; there is none without optimisations"
                                   : fmt::format("; there is none in that of {}", name_of(task, facts, others.finite));
    return make_answer(Mark::bad, text + ", so the engine is suspect");
  }
  facts.faulty_side = found.side;
  facts.good_side = others.with_nan;
  facts.output = found.output;
  facts.nan_on_both_sides = true;
  facts.message = text;
  facts.place.node = origin.node;
  facts.place.tensor = origin.weight.empty() ? origin.tensor : origin.weight;
  if (others.with_nan != kNoSide) text += fmt::format("; {} has NaN, too", name_of(task, facts, others.with_nan));
  if (!others.agrees) {
    // The comparison finds out whether an engine is wrong; if none is, the NaN is what was found.
    return make_answer(Mark::note, text + ", but their outputs differ in other values");
  }
  facts.good_is_sure = others.with_nan != kNoSide || is_from_input || !origin.weight.empty();
  if (!facts.good_is_sure) {
    return make_answer(Mark::unknown, text +
                                          "; it is unknown whether the engine or the model is the cause, since "
                                          "nothing else computes this output");
  }
  facts.failure = Failure::not_finite;
  return make_answer(Mark::bad, text + ": the cause is the model or its inputs");
}

}  // namespace assay::diagnose
