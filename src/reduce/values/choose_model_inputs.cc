#include "reduce/values/choose_model_inputs.h"

#include <optional>
#include <set>
#include <utility>

#include "reduce/values/choose_inputs.h"
#include "reduce/values/supply_boundary.h"

namespace assay::reduce {
namespace {

using Tensors = std::vector<edit::TensorId>;

base::Expected<tensor::NamedTensors> make_inputs(const ModelInputsTask& task, const InputChoice& choice) {
  if (task.same_for_all_sizes) return task.given({});
  if (choice.values == InputChoice::Values::as_asked) return task.given(choice.shapes);
  return choose_values(task.subject.model().graph(), task.asked, choice);
}

// The outputs of the model, and the settings in it, which are what is frozen.
struct Goals {
  std::set<edit::TensorId> all;
  std::set<edit::TensorId> settings;

  // Returns what the engine should compute: preferably everything, otherwise the settings.
  [[nodiscard]] std::vector<Tensors> in_order() const {
    return {{all.begin(), all.end()}, {settings.begin(), settings.end()}};
  }
};

Goals goals_of(const ModelInputsTask& task) {
  const model::GraphView& view = task.subject.view();
  Goals goals;
  for (const edit::NodeId node : task.subject.nodes()) {
    for (const edit::TensorId id : view.outputs(node)) {
      if (view.producer(id) == node && holds_settings(task.facts.find(id))) goals.settings.insert(id);
    }
  }
  goals.all = goals.settings;
  for (const onnx::ValueInfoProto& output : task.subject.model().graph().output()) {
    const edit::TensorId id = view.find(output.name());
    const onnx::ValueInfoProto* known = task.facts.find(id);
    const bool is_tensor = known != nullptr && known->type().has_tensor_type();
    if (is_tensor && view.producer(id) != edit::kNone && !task.subject.is_constant(id)) goals.all.insert(id);
  }
  return goals;
}

ModelInputs search_inputs(const ModelInputsTask& task, const std::vector<InputChoice>& choices, const Tensors& now) {
  std::optional<std::pair<std::size_t, tensor::NamedTensors>> made;  // the inputs of the last choice
  const auto inputs_of = [&](std::size_t choice) -> const tensor::NamedTensors* {
    if (made && made->first == choice) return &made->second;
    auto inputs = make_inputs(task, choices[choice]);
    if (!inputs) return nullptr;
    return &made.emplace(choice, *std::move(inputs)).second;
  };
  const Goals goals = goals_of(task);
  ModelInputs result;
  ChosenInputs chosen;
  for (const worker::EngineSpec& engine : task.engines) {
    const InputSearch search{.parts = task.parts, .engine = engine, .choices = choices.size(), .inputs = inputs_of};
    chosen = choose_inputs(search, goals.in_order(), now);
    result.engine_is_usable = !chosen.values.empty() || task.parts.is_usable(engine);
    if (result.engine_is_usable) break;
    ++result.unusable_engines;
  }
  result.inputs = make_inputs(task, choices[chosen.choice]);
  if (chosen.choice > 0 && task.log != nullptr) {
    task.log->verbose(
        "The engine that computes values fails if dynamic dimensions are 1, so it gets {}. --model-input-shapes sets "
        "others.",
        describe(choices[chosen.choice].shapes));
  }
  std::set<edit::TensorId> wanted = goals.settings;
  wanted.insert(now.begin(), now.end());
  for (const auto& [name, value] : chosen.values) {
    if (wanted.contains(task.subject.view().find(name))) result.values.set(name, value);
  }
  return result;
}

}  // namespace

ModelInputs choose_model_inputs(const ModelInputsTask& task, const Tensors& now) {
  const std::vector<InputChoice> choices =
      task.same_for_all_sizes ? std::vector<InputChoice>(1) : input_choices(task.subject.model().graph(), task.asked);
  if (choices.size() == 1 || task.engines.empty()) return {.inputs = make_inputs(task, choices.front())};
  return search_inputs(task, choices, now);
}

}  // namespace assay::reduce
