// A check that loads its inputs has no data for an input that a cut creates, unless it loads the values of tensors in
// the middle of the model, too. So such tensors are frozen by default, to the values that the check's inputs lead to.
#include "cli/commands/debug/reduce/tensor_values.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/find_value_engines.h"
#include "data/fit_inputs.h"
#include "data/input_source.h"
#include "model/inference/symbolic_shapes.h"
#include "reduce/values/engine_reference.h"
#include "reduce/values/given_values.h"
#include "reduce/values/reference_inputs.h"
#include "reduce/values/value_store.h"

namespace assay::cli {
namespace {

using Names = std::vector<std::string>;

// Returns the values as the inputs take them; those beyond the memory budget are in files.
base::Expected<tensor::NamedTensors> fit_and_store(tensor::NamedTensors values,
                                                   const std::vector<tensor::TensorSpec>& inputs,
                                                   const ReductionTask& task) {
  reduce::ValueStore store(task.values_folder, task.memory_budget);
  ASSAY_TRY(store.set(data::fit_where_possible(std::move(values), inputs)));
  return store.all();
}

// Returns the values of the first iteration.
base::Expected<tensor::NamedTensors> first_values(data::InputSource& source, const model::Model& model,
                                                  const ReductionTask& task) {
  const std::vector<tensor::TensorSpec> inputs = reduce::tensor_inputs(model);
  ASSAY_ASSIGN(auto values, source.iteration(0, inputs));
  return fit_and_store(std::move(values).value_or(tensor::NamedTensors{}), inputs, task);
}

// Returns the user's values. `sizes`: for generated inputs.
base::Expected<tensor::NamedTensors> user_values(const model::Model& model, const ReductionTask& task,
                                                 const reduce::InputShapes& sizes, const UserValues& user,
                                                 base::Log& log) {
  const std::vector<tensor::TensorSpec> inputs = reduce::tensor_inputs(model);
  ASSAY_ASSIGN(auto values, user.values(inputs, sizes, log));
  return fit_and_store(std::move(values), inputs, task);
}

base::Status take_user_values(ReductionTask& task, const model::Model& model, const UserValues& user, base::Log& log) {
  ASSAY_ASSIGN(task.given_values, user_values(model, task, {}, user, log));
  task.has_inputs = true;
  if (task.mode != reduce::Mode::minimal && !task.given_values.empty()) task.usual_values = reduce::CutValues::freeze;
  if (task.check.generates_inputs) {
    log.warning(
        "The check generates its own inputs; {} only says which values tensors have. If the failure needs these "
        "inputs, give the check such an option, too",
        user.given);
  }
  return {};
}

// `loaded`: the names of the inputs that the check loads; absent if it generates them.
void take_saved_reference(ReductionTask& task, const model::Model& model, std::optional<Names> loaded, base::Log& log) {
  const SavedOutputs& saved = *task.check.saved;
  auto reference = std::make_shared<const run::SavedReference>(
      run::SavedReferenceSetup{
          .outputs = saved.first.names(), .marks = saved.marks, .loaded_inputs = std::move(loaded)},
      model);
  if (const auto why = reference->why_not(model)) {
    log.warning(
        "The check compares with saved outputs that don't have the names of the whole model's: {}. So Assay can't tell "
        "which candidates they can judge, and the result may fail only because other tensors are compared with them. "
        "Save outputs of this model, or use a check that runs two engines",
        *why);
    return;
  }
  task.saved_reference = std::move(reference);
  if (task.mode != reduce::Mode::minimal) return;
  log.info(
      "The check compares with saved outputs. If the failure is that outputs differ, nodes are removed, but not "
      "bypassed: those that remain compute the same as before. Candidates are skipped if they have other outputs. The "
      "more tensors were saved, the smaller the result can be");
}

// Candidates get the values that were saved as constants. Other values are less certain.
void warn_of_constants(const SavedOutputs& saved, const model::Model& model, base::Log& log) {
  if (saved.iterations > 1) {
    log.warning(
        "The check compares {} iterations, but tensors that become constants have the values of the first one, so "
        "candidates may differ in the others for this reason. Let the check compare one iteration",
        saved.iterations);
  }
  base::SilentLog silent;
  const std::vector<std::string> all = edit::choose_outputs(model, {.all = true}, silent).value_or(Names());
  const auto unsaved = std::ranges::find_if_not(all, [&](const auto& name) { return saved.first.contains(name); });
  if (unsaved == all.end()) return;
  log.warning(
      "'{}' and possibly other tensors weren't saved. If one of them becomes a constant, ONNX Runtime computes its "
      "value without optimisations. Should that be wrong, too, the result may be nodes after those that are at fault. "
      "To be sure, save all tensors with correct values (`--onnx-outputs mark all --save-outputs FILE`)",
      *unsaved);
}

// Data that can't be read is no error here: the first check reports it.
void take_values_of_check(ReductionTask& task, const model::Model& model, const UserValues& user, base::Log& log) {
  const bool is_minimal = task.mode == reduce::Mode::minimal;
  const bool generates = task.check.generates_inputs;
  std::unique_ptr<data::InputSource> read;  // only here, so that the process of a script ends
  if (!generates) read = std::move(task.check.inputs);
  data::InputSource* source = generates ? task.check.inputs.get() : read.get();
  if (source == nullptr || (!task.check.saved && (generates || !is_minimal))) return;
  auto inputs = first_values(*source, model, task).value_or(tensor::NamedTensors{});
  if (task.check.saved) {
    take_saved_reference(task, model, generates ? std::nullopt : std::optional(inputs.names()), log);
  }
  if (!is_minimal || inputs.empty() || !reduce::has_inputs(inputs, model)) return;
  if (generates || !reduce::has_results(inputs, model)) {
    task.usual_values = reduce::CutValues::freeze;
    if (task.check.saved) warn_of_constants(*task.check.saved, model, log);
  }
  if (!user.given.empty()) return;
  task.given_values = std::move(inputs);
  task.has_inputs = true;
}

// Lets tensors that become constants have their saved values: the check expects these, even if an engine computes
// others.
base::Status take_saved_values(ReductionTask& task) {
  if (!task.check.saved || task.saved_reference == nullptr || !task.has_inputs) return {};
  reduce::ValueStore store(task.values_folder, task.memory_budget);
  ASSAY_TRY(store.set(task.check.saved->first));
  for (const auto& [name, value] : store.all()) {
    if (!task.given_values.contains(name)) task.given_values.set(name, value);
  }
  task.check.saved->first = {};
  return {};
}

// Returns what the check generates for the inputs of a model: their sizes follow from the names of dimensions, too.
base::Expected<tensor::NamedTensors> generate_as_in_check(const CheckFacts& check, const model::Model& model) {
  const auto shapes = model::shapes_by_names(model.graph(), check.shapes);
  std::vector<tensor::TensorSpec> inputs = reduce::tensor_inputs(model);
  for (tensor::TensorSpec& input : inputs) {
    const auto named = shapes.find(input.name);
    if (named == shapes.end() || named->second.size() != input.shape.size()) continue;
    for (std::size_t i = 0; i < input.shape.size(); ++i) {
      if (input.shape[i] < 0) input.shape[i] = named->second[i].value;
    }
  }
  ASSAY_ASSIGN(auto values, check.inputs->iteration(0, inputs));
  return std::move(values).value_or(tensor::NamedTensors{});
}

// Returns nothing if the check doesn't generate its inputs, or if the user says which inputs to use.
std::optional<reduce::RunOfCheck> run_of_check(const ReductionTask& task, const UserValues& user,
                                               const model::Model& model) {
  const bool is_told = task.has_inputs || !task.asked_shapes.empty() || !user.given.empty();
  if (is_told || !task.check.generates_inputs) return std::nullopt;
  reduce::RunOfCheck run{.engines = {},
                         .inputs = [&check = task.check, &model] { return generate_as_in_check(check, model); }};
  for (const run::EngineSetup& engine : task.check.engines) run.engines.push_back(engine.spec);
  return run;
}

}  // namespace

base::Status take_values(ReductionTask& task, const model::Model& model, const UserValues& user, base::Log& log) {
  if (user.are_loaded) ASSAY_TRY(take_user_values(task, model, user, log));
  take_values_of_check(task, model, user, log);
  ASSAY_TRY(take_saved_values(task));
  if (!task.has_inputs) task.missing->set_open_inputs(reduce::open_inputs(model.graph(), task.asked_shapes));
  return {};
}

reduce::MakeReference computed_values(const ReductionTask& task, const UserValues& user, Context& context) {
  return [&task, user, &context](const edit::Subject& subject, const edit::TensorFacts& facts) {
    reduce::EngineReference::Options settings;
    settings.engines = backend::find_value_engines(context.installation.engines, context.log);
    for (const run::EngineSetup& engine : task.check.engines) backend::load_files_of(engine.spec, settings.engines);
    settings.limits = reduce::reference_limits(task.check.limits);
    settings.memory_budget = task.memory_budget;
    settings.folder = task.values_folder;
    settings.same_for_all_sizes = task.has_inputs;
    settings.missing = task.missing;
    settings.checks_declarations = &subject.model() == task.model.get() && !task.shapes_from_reference;
    settings.log = &context.log;
    settings.input_shapes = task.asked_shapes;
    settings.check = run_of_check(task, user, subject.model());
    settings.given = [&task, user, &subject](const reduce::InputShapes& chosen) {
      if (task.has_inputs) return base::Expected<tensor::NamedTensors>(task.given_values);
      reduce::InputShapes sizes = chosen;
      sizes.insert(task.asked_shapes.begin(), task.asked_shapes.end());
      base::SilentLog silent;  // this may be a part of the model, which lacks inputs that the user has named
      return user_values(subject.model(), task, sizes, user, silent);
    };
    return std::make_unique<reduce::EngineReference>(subject, facts, context.pool, std::move(settings));
  };
}

}  // namespace assay::cli
