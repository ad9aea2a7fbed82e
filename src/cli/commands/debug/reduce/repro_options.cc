// A plan says which engines run on which inputs. It comes from the check's command line if the check is `assay run`;
// for any other check it is ONNX Runtime, with the inputs that the user gave to the reduction, or else default ones.
#include "cli/commands/debug/reduce/repro_options.h"

#include <algorithm>
#include <utility>

#include "base/shell_text.h"
#include "cli/commands/run/run_settings.h"
#include "data/fit_inputs.h"
#include "model/input_specs.h"
#include "report/machine.h"
#include "report/repro.h"
#include "report/repro_plan.h"

namespace assay::cli {
namespace {

using report::ReproPlan;

base::Expected<tensor::NamedTensors> first_of(data::InputSource& source, const model::Model& model, base::Log& log) {
  const std::vector<tensor::TensorSpec> specs = model::input_specs(model);
  ASSAY_ASSIGN(const auto inputs, source.iteration(0, specs));
  return data::fit_inputs(inputs.value_or(tensor::NamedTensors{}), specs, log);
}

base::Expected<tensor::NamedTensors> generated(const model::Model& model, base::Log& log) {
  return first_of(*data::generated_inputs({}, 1, log), model, log);
}

// Returns whether the source ends after the first iteration, the one that the programs run.
bool has_one_iteration(data::InputSource& source, const model::Model& model) {
  const auto second = source.iteration(1, model::input_specs(model));
  return second && !*second;
}

// Returns whether the programs do everything that the check does.
bool is_known(const RunSettings& settings, const model::Model& model) {
  return settings.as_it_is && settings.by_element && settings.saved.size() <= 1 &&
         has_one_iteration(*settings.inputs, model);
}

base::Expected<ReproPlan> plan_of_run(RunSettings settings, const model::Model& model, Context& context) {
  ReproPlan plan;
  plan.engines = std::move(settings.engines);
  plan.inputs_from = "taken from the first iteration of the check";
  const bool has_one = report::has_program_engine(plan);
  if (!has_one) report::add_reference_engine(plan, context.installation.engines);
  plan.tolerances = settings.tolerances;
  plan.validate = settings.validate;
  auto inputs = first_of(*settings.inputs, model, context.log);
  if (!inputs) {
    context.log.warning("The check's inputs do not fit the reduced model, so new ones are generated: {}",
                        inputs.error().message());
    inputs = generated(model, context.log);
    plan.inputs_from = "generated, because those of the check do not fit the model";
  } else {
    plan.check_is_known = has_one && is_known(settings, model);
  }
  ASSAY_ASSIGN(plan.inputs, std::move(inputs));
  if (!settings.saved.empty() && !settings.saved[0].iterations.empty()) {
    plan.expected = report::expected_outputs(settings.saved[0].iterations[0].outputs, model);
    plan.expected_from = "the saved results that the check compares with, from " + settings.saved[0].runner;
  }
  return plan;
}

// Returns nothing if values of some inputs weren't given, because the model was cut there, or if they don't fit.
std::optional<tensor::NamedTensors> given_inputs(const ReproOptions::Failing& failing, base::Log& log) {
  const std::vector<tensor::TensorSpec> specs = model::input_specs(failing.model);
  const auto is_given = [&](const tensor::TensorSpec& input) { return failing.given.find(input.name) != nullptr; };
  if (!std::ranges::all_of(specs, is_given)) return std::nullopt;
  auto fitted = data::fit_inputs(failing.given, specs, log);
  return fitted ? std::optional(*std::move(fitted)) : std::nullopt;
}

base::Expected<ReproPlan> plan_of_anything(const ReproOptions::Failing& failing, Context& context) {
  ReproPlan plan;
  report::add_reference_engine(plan, context.installation.engines);
  if (!failing.given.empty()) {
    if (auto given = given_inputs(failing, context.log)) {
      plan.inputs = *std::move(given);
      plan.inputs_from = "given to the reduction";
      return plan;
    }
    context.log.warning(
        "The inputs given to the reduction do not fit the reduced model, so the bug report gets generated ones");
  }
  plan.inputs_from = "generated as `assay run` does by default";
  auto inputs = generated(failing.model, context.log);
  if (!inputs && inputs.error().kind == base::ErrorKind::unsupported) {
    context.log.warning("The folder gets no inputs and no programs that run the model: {}", inputs.error().message());
    plan.engines.clear();
    plan.inputs_from = "none: " + inputs.error().message();
    return plan;
  }
  if (!inputs) return base::fail(std::move(inputs).error());
  plan.inputs = *std::move(inputs);
  return plan;
}

base::Expected<ReproPlan> make_plan(const ReproOptions::Failing& failing, Context& context) {
  auto settings = settings_of_run(failing.check, context);
  if (settings && !settings->engines.empty()) return plan_of_run(*std::move(settings), failing.model, context);
  return plan_of_anything(failing, context);
}

}  // namespace

void ReproOptions::add_to(CLI::App& app) {
  app.add_option(
         "--repro", folder_,
         "Write a bug report to this folder, which must be new or empty: the model, inputs, outputs, versions, and "
         "programs in Python and C++ that show the failure with the API of the engine at fault, ONNX Runtime or "
         "OpenVINO")
      ->option_text("FOLDER");
}

base::Status ReproOptions::check(bool resumes) const {
  return given() ? report::check_repro_folder(folder_, resumes) : base::Status();
}

base::Status ReproOptions::save(const Failing& failing, Context& context) const {
  ASSAY_ASSIGN(ReproPlan plan, make_plan(failing, context));
  report::ReproInput input{.model = failing.model, .verbatim = failing.verbatim};
  input.versions = {{"Assay", ASSAY_VERSION}, {"ONNX (the library in Assay)", ASSAY_ONNX_VERSION}};
  ASSAY_TRY(report::run_plan(std::move(plan), context.pool, input));
  for (auto& fact : report::describe_machine()) input.versions.push_back(std::move(fact));
  input.check = base::shell_text(failing.check);
  input.commands = failing.commands;
  input.ending = failing.verdict.text;
  input.output = failing.verdict.output;
  input.summary = failing.summary;
  ASSAY_TRY(report::write_repro(folder_, input));
  context.log.info("Wrote the bug report to {}", folder_);
  return {};
}

}  // namespace assay::cli
