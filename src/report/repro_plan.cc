// The programs do what the check does, as far as that is known: if it is `assay run`, its settings tell. A check of any
// other kind may do anything with the model, so the programs then only run it in the engine that most users have.
#include "report/repro_plan.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "compare/match_outputs.h"
#include "data/fit_inputs.h"
#include "data/input_source.h"
#include "model/input_specs.h"
#include "report/program_engines.h"

namespace assay::report {
namespace {

bool has_program_engine(const ReproPlan& plan) {
  return std::ranges::any_of(
      plan.engines, [](const run::EngineSetup& setup) { return find_engine_parts(setup.spec.kind) != nullptr; });
}

// Adds the first engine of the table without settings, if it is found.
void add_reference_engine(ReproPlan& plan, const backend::EngineSearch& search) {
  const backend::EngineRow& row = backend::engine_rows().front();
  const auto library = backend::find_engine(row, {}, search);
  if (!library) return;
  run::EngineSetup setup;
  setup.engine = row.name;
  setup.spec = {.kind = std::string(row.kind), .library = *library, .options = {}};
  plan.engines.push_back(std::move(setup));
}

// Returns the saved values under the names of the model's outputs.
tensor::NamedTensors expected_outputs(const tensor::NamedTensors& saved, const model::Model& model) {
  std::vector<std::string> names;
  for (const onnx::ValueInfoProto& output : model.graph().output()) names.push_back(output.name());
  tensor::NamedTensors outputs;
  for (const compare::OutputMatch& match : compare::match_outputs(names, saved.names())) {
    outputs.set(match.first, *saved.find(match.second));
  }
  return outputs;
}

base::Expected<tensor::NamedTensors> first_of(data::InputSource& source, const model::Model& model, base::Log& log) {
  const std::vector<tensor::TensorSpec> specs = model::input_specs(model);
  ASSAY_ASSIGN(const auto inputs, source.iteration(0, specs));
  return data::fit_inputs(inputs.value_or(tensor::NamedTensors{}), specs, log);
}

base::Expected<tensor::NamedTensors> generated(const model::Model& model, base::Log& log) {
  tensor::GenerateOptions options;
  options.shapes_option.clear();  // the model is cut: no option of the command sets its shapes
  return first_of(*data::generated_inputs(std::move(options), 1, log), model, log);
}

// Returns whether the source ends after the first iteration, the one that the programs run.
bool has_one_iteration(data::InputSource& source, const model::Model& model) {
  const auto second = source.iteration(1, model::input_specs(model));
  return second && !*second;
}

// Returns whether the programs do everything that the check does.
bool is_known(const run::RunSettings& check, const model::Model& model) {
  return check.as_it_is && check.by_element && check.saved.size() <= 1 && has_one_iteration(*check.inputs, model);
}

// Returns nothing if values of some inputs weren't given, because the model was cut there, or if they don't fit.
std::optional<tensor::NamedTensors> given_inputs(const tensor::NamedTensors& given, const model::Model& model,
                                                 base::Log& log) {
  const std::vector<tensor::TensorSpec> specs = model::input_specs(model);
  const auto is_given = [&](const tensor::TensorSpec& input) { return given.find(input.name) != nullptr; };
  if (!std::ranges::all_of(specs, is_given)) return std::nullopt;
  auto fitted = data::fit_inputs(given, specs, log);
  return fitted ? std::optional(*std::move(fitted)) : std::nullopt;
}

}  // namespace

base::Expected<ReproPlan> plan_of_run(run::RunSettings check, const model::Model& model,
                                      const backend::EngineSearch& search, base::Log& log) {
  ReproPlan plan;
  plan.engines = std::move(check.engines);
  plan.inputs_from = "taken from the first iteration of the check";
  const bool has_one = has_program_engine(plan);
  if (!has_one) add_reference_engine(plan, search);
  plan.tolerances = check.tolerances;
  plan.validate = check.validate;
  auto inputs = first_of(*check.inputs, model, log);
  if (!inputs) {
    log.warning("The check's inputs do not fit the reduced model, so new ones are generated: {}",
                inputs.error().message());
    inputs = generated(model, log);
    plan.inputs_from = "generated, because those of the check do not fit the model";
  } else {
    plan.check_is_known = has_one && is_known(check, model);
  }
  ASSAY_ASSIGN(plan.inputs, std::move(inputs));
  if (!check.saved.empty() && !check.saved[0].iterations.empty()) {
    plan.expected = expected_outputs(check.saved[0].iterations[0].outputs, model);
    plan.expected_from = "the saved results that the check compares with, from " + check.saved[0].runner;
  }
  return plan;
}

base::Expected<ReproPlan> plan_of_unknown_check(const tensor::NamedTensors& given, const model::Model& model,
                                                const backend::EngineSearch& search, base::Log& log) {
  ReproPlan plan;
  add_reference_engine(plan, search);
  if (!given.empty()) {
    if (auto fitted = given_inputs(given, model, log)) {
      plan.inputs = *std::move(fitted);
      plan.inputs_from = "given to the reduction";
      return plan;
    }
    log.warning(
        "The inputs given to the reduction do not fit the reduced model, so the bug report gets generated ones");
  }
  plan.inputs_from = "generated as `assay run` does by default";
  auto inputs = generated(model, log);
  if (!inputs && inputs.error().kind == base::ErrorKind::unsupported) {
    log.warning("The folder gets no inputs and no programs that run the model: {}", inputs.error().message());
    plan.engines.clear();
    plan.inputs_from = "none: " + inputs.error().message();
    return plan;
  }
  if (!inputs) return base::fail(std::move(inputs).error());
  plan.inputs = *std::move(inputs);
  return plan;
}

}  // namespace assay::report
