// NaN or infinity? If an output has one, every tensor of the model becomes an output. The culprit is the node of the
// first tensor that isn't finite although everything that the node reads is. If another side has NaN as well, the cause
// is the model or its inputs, not the engine. Infinities alone are often intended (masks of attention), so they are
// only noted.
#include <fmt/format.h>

#include "base/log.h"
#include "diagnose/commands.h"
#include "diagnose/steps.h"
#include "diagnose/trial.h"
#include "edit/mark_outputs.h"
#include "stats/measure.h"
#include "tensor/convert.h"
#include "worker/models/model_source.h"

namespace assay::diagnose {
namespace {

using report::Mark;

bool has_non_finite(const tensor::Tensor& value, bool nan_only) {
  if (tensor::info(value.type()).kind != tensor::ElementKind::floating) return false;
  const auto measured = stats::measure(value, value);
  return measured && (measured->nan.first > 0 || (!nan_only && measured->infinite.first > 0));
}

// Returns the first output with NaN or, if `nan_only` is false, with infinity; empty if there is none.
std::string first_non_finite(const Iterations& outputs, bool nan_only) {
  for (const tensor::NamedTensors& iteration : outputs) {
    for (const auto& [name, value] : iteration) {
      if (has_non_finite(value, nan_only)) return name;
    }
  }
  return {};
}

struct Origin {
  std::string node, tensor;
};

// Returns the first node, in the order of the graph, that computes NaN (or infinity) from values without any.
Origin find_origin(const model::Model& model, const tensor::NamedTensors& values, bool nan_only) {
  const auto is_non_finite = [&](const std::string& name) {
    const tensor::Tensor* value = values.find(name);
    return value != nullptr && has_non_finite(*value, nan_only);
  };
  for (int i = 0; i < model.graph().node_size(); ++i) {
    const onnx::NodeProto& node = model.graph().node(i);
    const bool reads = std::ranges::any_of(node.input(), is_non_finite);
    for (const std::string& output : node.output()) {
      if (!reads && is_non_finite(output)) return {model::describe_node(node, i), output};
    }
  }
  return {};
}

base::Expected<Origin> look_inside(const Case& task, const run::EngineSetup& engine, bool nan_only,
                                   StepContext& context) {
  model::Model marked = task.model;
  const std::vector<std::string> own = [&] {
    std::vector<std::string> names;
    for (const auto& output : task.model.graph().output()) names.push_back(output.name());
    return names;
  }();
  const edit::MarkOptions options{.outputs = own, .all = true};
  ASSAY_TRY(edit::mark_outputs(marked, options, context.log));
  ASSAY_ASSIGN(const worker::ModelSource source, worker::model_source(marked));
  ASSAY_ASSIGN(const Trial trial, try_engine(engine, source, task.inputs, context.pool, context.log));
  for (const tensor::NamedTensors& values : trial.outputs) {
    Origin origin = find_origin(task.model, values, nan_only);
    if (!origin.node.empty()) return origin;
  }
  return Origin{};
}

struct Found {
  int side = kNoSide;
  std::string output;
  bool is_nan = false;
};

base::Expected<Found> look_at_outputs(const Case& task, StepContext& context) {
  Found found;
  for (std::size_t i = 0; i < task.sides.size(); ++i) {
    if (!task.sides[i].is_given) continue;
    ASSAY_ASSIGN(const Trial trial,
                 try_engine(task.sides[i].setup, task.source, task.inputs, context.pool, context.log));
    for (const bool nan_only : {true, false}) {
      const std::string output = first_non_finite(trial.outputs, nan_only);
      if (output.empty()) continue;
      found = {static_cast<int>(i), output, nan_only};
      break;
    }
    if (found.is_nan) break;
  }
  return found;
}

// Returns true if another side has NaN in this output, too, or if there is no other side that runs.
base::Expected<bool> others_have_it(const Case& task, const Found& found, Facts& facts, StepContext& context) {
  bool any_runs = false;
  for (std::size_t i = 0; i < task.sides.size(); ++i) {
    if (static_cast<int>(i) == found.side) continue;
    ASSAY_ASSIGN(const Trial trial,
                 try_engine(task.sides[i].setup, task.source, task.inputs, context.pool, context.log));
    if (!trial.runs()) continue;
    any_runs = true;
    facts.versions[task.sides[i].setup.runner] = trial.version;
    if (!first_non_finite(trial.outputs, true).empty()) {
      facts.good = static_cast<int>(i);
      return true;
    }
  }
  return !any_runs;
}

}  // namespace

base::Expected<report::PageStep> find_not_finite(const Case& task, Facts& facts, StepContext& context) {
  if (facts.failure != Failure::none) return make_answer(Mark::skipped, "not asked: the outputs can't be relied on");
  ASSAY_ASSIGN(const Found found, look_at_outputs(task, context));
  if (found.side == kNoSide) return make_answer(Mark::good, "no: all outputs are finite");
  if (!found.is_nan) {
    return make_answer(Mark::note, fmt::format("output '{}' holds infinity, which may be intended", found.output));
  }
  ASSAY_ASSIGN(const Origin origin, look_inside(task, task.sides[found.side].setup, true, context));
  ASSAY_ASSIGN(const bool in_others, others_have_it(task, found, facts, context));
  const std::string engine = name_of(task, facts, found.side);
  std::string text = fmt::format("output '{}' of {} holds NaN", found.output, engine);
  if (!origin.node.empty())
    text += fmt::format("; the first NaN is in '{}', computed by {}", origin.tensor, origin.node);
  if (!in_others) {
    return make_answer(Mark::bad, text + "; the other side has none, so the engine is suspect");
  }
  facts.failure = Failure::not_finite;
  facts.side = found.side;
  facts.output = found.output;
  facts.message = text;
  facts.place.node = origin.node;
  facts.place.tensor = origin.tensor;
  if (facts.good != kNoSide) text += fmt::format("; {} has NaN, too", name_of(task, facts, facts.good));
  return make_answer(Mark::bad, text + ": the cause is the model or its inputs");
}

}  // namespace assay::diagnose
