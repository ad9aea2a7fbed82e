#include "reduce/values/choose_model_inputs.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "reduce/values/choose_inputs.h"
#include "reduce/values/supply_boundary.h"

namespace assay::reduce {
namespace {

using Tensors = std::vector<edit::TensorId>;

base::Expected<tensor::NamedTensors> make_inputs(const ModelInputsTask& task, const InputChoice& choice) {
  if (choice.values == InputChoice::Values::of_check) return task.check->inputs();
  if (task.same_for_all_sizes) return task.given({});
  if (choice.values == InputChoice::Values::as_asked) return task.given(choice.shapes);
  return choose_values(task.subject.model().graph(), task.asked, choice);
}

// Returns the choices to try, of which the inputs of the check are the first, if they are known.
std::vector<InputChoice> choices_of(const ModelInputsTask& task) {
  if (task.same_for_all_sizes) return std::vector<InputChoice>(1);
  std::vector<InputChoice> choices = input_choices(task.subject.model().graph(), task.asked);
  if (!task.check) return choices;
  const auto inputs = task.check->inputs();
  if (!inputs) return choices;
  InputChoice of_check{.shapes = {}, .size = 1, .values = InputChoice::Values::of_check};
  for (const auto& [name, shape] : choices.front().shapes) {
    if (const tensor::Tensor* value = inputs->find(name)) of_check.shapes[name] = value->shape();
  }
  std::erase_if(choices, [&](const InputChoice& choice) {
    return choice.values == InputChoice::Values::as_asked && choice.shapes == of_check.shapes;
  });
  choices.insert(choices.begin(), std::move(of_check));
  return choices;
}

// Returns whether the first engine of the check that fails on a part of the model does so while running. Sizes don't
// matter for loading.
bool check_fails_to_run(const ModelInputsTask& task, const std::vector<edit::NodeId>& nodes, const Tensors& outputs,
                        const tensor::NamedTensors& inputs) {
  if (!task.check) return false;
  for (const worker::EngineSpec& engine : task.check->engines) {
    const auto session = task.parts.load(engine, nodes, outputs, {});
    if (!session) return false;
    if (!task.parts.run(**session, inputs, outputs)) return true;
  }
  return false;
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
    const InputSearch search{.parts = task.parts,
                             .engine = engine,
                             .choices = choices.size(),
                             .inputs = inputs_of,
                             .keeps_first = std::bind_front(check_fails_to_run, std::cref(task))};
    chosen = choose_inputs(search, goals.in_order(), now);
    result.engine_is_usable = !chosen.values.empty() || task.parts.is_usable(engine);
    if (result.engine_is_usable) break;
    ++result.unusable_engines;
  }
  result.inputs = make_inputs(task, choices[chosen.choice]);
  if (chosen.choice > 0 && task.log != nullptr) {
    task.log->verbose("The engine that computes values fails {}, so it gets {}. --model-input-shapes sets others.",
                      choices.front().values == InputChoice::Values::of_check ? "with the inputs of the check"
                                                                              : "if dynamic dimensions are 1",
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
  const std::vector<InputChoice> choices = choices_of(task);
  if (choices.size() == 1 || task.engines.empty()) return {.inputs = make_inputs(task, choices.front())};
  return search_inputs(task, choices, now);
}

}  // namespace assay::reduce
