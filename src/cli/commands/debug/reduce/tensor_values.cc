// A check that loads its inputs has no data for an input that a cut creates, unless it loads the values of tensors in
// the middle of the model, too. So such tensors are frozen by default, to the values that the check's inputs lead to.
#include "cli/commands/debug/reduce/tensor_values.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/find_value_engines.h"
#include "data/fit_inputs.h"
#include "data/input_source.h"
#include "reduce/values/engine_reference.h"
#include "reduce/values/given_values.h"
#include "reduce/values/reference_inputs.h"
#include "reduce/values/value_store.h"

namespace assay::cli {
namespace {

// Warns of what is given for inputs that the model doesn't have: a name may be misspelt.
void warn_of_unknown_inputs(const model::Model& model, std::string_view what, const auto& by_input, base::Log& log) {
  for (const auto& [name, value] : by_input) {
    const auto is_named = [&name](const auto& input) { return input.name() == name; };
    if (std::ranges::any_of(model.graph().input(), is_named)) continue;
    log.warning("The {} of '{}' is ignored, since the model has no such input tensor", what, name);
  }
}

// Returns the values of the first iteration; those beyond the memory budget, in bytes, are in files.
base::Expected<tensor::NamedTensors> first_values(data::InputSource& source, const model::Model& model,
                                                  std::uint64_t memory_budget, const ValueOptions& options) {
  const std::vector<tensor::TensorSpec> inputs = reduce::tensor_inputs(model);
  ASSAY_ASSIGN(auto values, source.iteration(0, inputs));
  if (!values) return tensor::NamedTensors{};
  reduce::ValueStore store(options.folder, memory_budget);
  ASSAY_TRY(store.set(data::fit_where_possible(*std::move(values), inputs)));
  return store.all();
}

// Returns the values of the user's data loader. `chosen`: sizes for inputs, which take precedence over the user's.
base::Expected<tensor::NamedTensors> user_values(const model::Model& model, std::uint64_t memory_budget,
                                                 const reduce::InputShapes& chosen, const ValueOptions& options,
                                                 const base::Stop& stop, base::Log& log) {
  ASSAY_ASSIGN(auto shapes, options.model.input_shapes());
  for (const auto& [name, sizes] : chosen) {
    Dimensions& shape = shapes[name];
    shape.clear();
    for (const std::int64_t size : sizes) shape.push_back({.value = size, .symbol = {}});
  }
  if (options.data.custom()) shapes.clear();  // the values have shapes of their own
  ASSAY_ASSIGN(const auto source, options.data.source(shapes, stop, log, "--model-input-shapes"));
  return first_values(*source, model, memory_budget, options);
}

base::Status take_user_values(ReductionTask& task, const model::Model& model, const ValueOptions& options,
                              Context& context) {
  ASSAY_ASSIGN(task.given_values, user_values(model, task.memory_budget, {}, options, context.stop, context.log));
  task.has_inputs = true;
  task.freezes = task.mode != reduce::Mode::minimal && !task.given_values.empty();
  if (task.check.generates_inputs) {
    context.log.warning(
        "The check generates its own inputs; {} only says which values tensors have. If the failure needs these "
        "inputs, give the check such an option, too",
        options.data.first_given());
  }
  return {};
}

// Data that can't be read is no error here: the first check reports it.
void take_values_of_check(ReductionTask& task, const model::Model& model, const ValueOptions& options) {
  const std::unique_ptr<data::InputSource> source = std::move(task.check.loaded_inputs);
  if (source == nullptr || task.mode != reduce::Mode::minimal) return;
  auto loaded = first_values(*source, model, task.memory_budget, options).value_or(tensor::NamedTensors{});
  if (loaded.empty() || !reduce::has_inputs(loaded, model)) return;
  task.freezes = !reduce::has_results(loaded, model);
  if (!options.data.first_given().empty()) return;
  task.given_values = std::move(loaded);
  task.has_inputs = true;
}

}  // namespace

base::Status take_values(ReductionTask& task, const model::Model& model, const ValueOptions& options,
                         Context& context) {
  if (task.mode == reduce::Mode::minimal) warn_of_unknown_inputs(model, "shape", task.asked_shapes, context.log);
  if (options.data.custom()) ASSAY_TRY(take_user_values(task, model, options, context));
  take_values_of_check(task, model, options);
  if (task.has_inputs) return {};
  ASSAY_ASSIGN(const tensor::GenerateOptions generated, options.data.generate_options());
  warn_of_unknown_inputs(model, "range", generated.ranges, context.log);
  task.missing->set_open_inputs(reduce::open_inputs(model.graph(), task.asked_shapes));
  return {};
}

reduce::MakeReference computed_values(const ReductionTask& task, const ValueOptions& options, Context& context) {
  return [&task, options, &context](const edit::Subject& subject, const edit::TensorFacts& facts) {
    reduce::EngineReference::Options settings;
    settings.engines = backend::find_value_engines(context.installation.engines, context.log);
    for (const run::EngineSetup& engine : task.check.engines) backend::load_files_of(engine.spec, settings.engines);
    settings.limits = reduce::reference_limits(task.check.limits);
    settings.memory_budget = task.memory_budget;
    settings.folder = options.folder;
    settings.same_for_all_sizes = task.has_inputs;
    settings.missing = task.missing;
    settings.checks_declarations = &subject.model() == task.model.get() && !options.model.force_fallback_inference();
    settings.log = &context.log;
    settings.input_shapes = task.asked_shapes;
    settings.given = [&task, options, &context, &subject](const reduce::InputShapes& chosen) {
      if (task.has_inputs) return base::Expected<tensor::NamedTensors>(task.given_values);
      base::SilentLog silent;  // this may be a part of the model, which lacks inputs that the user has named
      return user_values(subject.model(), task.memory_budget, chosen, options, context.stop, silent);
    };
    return std::make_unique<reduce::EngineReference>(subject, facts, context.pool, std::move(settings));
  };
}

}  // namespace assay::cli
