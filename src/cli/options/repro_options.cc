// A plan says which engines run on which inputs. It comes from the check's command line if the check is `assay run`;
// for any other check it is ONNX Runtime with default inputs. All engines of the plan then run once, and what they
// compute decides which of them the programs use and which outputs they expect.
#include "cli/options/repro_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backend/find_engines.h"
#include "cli/arguments.h"
#include "cli/check_runner.h"
#include "cli/commands/run.h"
#include "cli/input_specs.h"
#include "cli/options/choose_repro_engine.h"
#include "compare/match_outputs.h"
#include "data/fit_inputs.h"
#include "model/reference_weights.h"
#include "model/shapes.h"
#include "report/machine.h"
#include "report/program_engines.h"
#include "report/repro.h"

namespace assay::cli {
namespace {

constexpr double kMostSeconds = 60;  // for an engine without a time limit: it may hang

// Programs exist for this engine. Other engines only provide expected outputs.
bool has_programs(const run::EngineSetup& setup) {
  return report::find_program_engine(setup.spec.kind) != nullptr;
}

// Adds ONNX Runtime without settings, if it is found.
void add_onnxruntime(std::vector<run::EngineSetup>& engines, const Installation& installation) {
  const auto found = backend::find_onnxruntime(installation.engines);
  if (!found) return;
  run::EngineSetup setup;
  setup.engine = "ONNX Runtime";
  setup.spec = {.kind = found->kind, .library = found->library, .options = {}};
  engines.push_back(std::move(setup));
}

// Describes what the programs run and compare, as far as the check shows it.
struct Plan {
  std::vector<run::EngineSetup> engines;
  tensor::NamedTensors inputs;
  std::string inputs_from;
  tensor::NamedTensors expected;
  std::string expected_from;
  compare::CompareOptions tolerances;
  bool validate = false;
  bool check_is_known = false;
};

base::Expected<tensor::NamedTensors> first_of(data::InputSource& source, const model::Model& model, base::Log& log) {
  const std::vector<tensor::TensorSpec> specs = input_specs(model);
  ASSAY_ASSIGN(const auto inputs, source.iteration(0, specs));
  return data::fit_inputs(inputs.value_or(tensor::NamedTensors{}), specs, log);
}

base::Expected<tensor::NamedTensors> generated(const model::Model& model, base::Log& log) {
  return first_of(*data::generated_inputs({}, 1, log), model, log);
}

// Returns the saved values that the check compares with, under the names of the model's outputs.
tensor::NamedTensors expected_outputs(const tensor::NamedTensors& saved, const model::Model& model) {
  std::vector<std::string> names;
  for (const onnx::ValueInfoProto& output : model.graph().output()) names.push_back(output.name());
  tensor::NamedTensors outputs;
  for (const compare::OutputMatch& match : compare::match_outputs(names, saved.names())) {
    outputs.set(match.first, *saved.find(match.second));
  }
  return outputs;
}

base::Expected<Plan> plan_of_run(RunSettings settings, const model::Model& model, Context& context) {
  Plan plan;
  plan.engines = std::move(settings.engines);
  plan.inputs_from = "taken from the first iteration of the check";
  const bool has_one = std::ranges::any_of(plan.engines, has_programs);
  if (!has_one) add_onnxruntime(plan.engines, context.installation);
  plan.check_is_known = settings.as_it_is && has_one;
  plan.tolerances = settings.tolerances;
  plan.validate = settings.validate;
  auto inputs = first_of(*settings.inputs, model, context.log);
  if (!inputs) {
    context.log.warning("The check's inputs do not fit the reduced model, so new ones are generated: {}",
                        inputs.error().message());
    inputs = generated(model, context.log);
    plan.inputs_from = "generated, because those of the check do not fit the model";
  }
  ASSAY_ASSIGN(plan.inputs, std::move(inputs));
  if (!settings.saved.empty() && !settings.saved[0].iterations.empty()) {
    plan.expected = expected_outputs(settings.saved[0].iterations[0].outputs, model);
    plan.expected_from = "the saved results that the check compares with, from " + settings.saved[0].runner;
  }
  return plan;
}

base::Expected<Plan> plan_of_anything(const ReproOptions::Failing& failing, Context& context) {
  Plan plan;
  add_onnxruntime(plan.engines, context.installation);
  if (failing.inputs) {
    if (auto inputs = failing.inputs()) {
      auto fitted = data::fit_inputs(*inputs, input_specs(failing.model), context.log);
      if (fitted) {
        plan.inputs = *std::move(fitted);
        plan.inputs_from = "given to the reduction with --load-inputs";
        return plan;
      }
    }
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

// Returns the outputs of an engine, or nullopt if it fails: the failure under investigation is no error here.
std::optional<tensor::NamedTensors> run_engine(const run::EngineSetup& setup, const worker::ModelSource& source,
                                               const tensor::NamedTensors& inputs, Context& context) {
  worker::Limits limits = setup.limits;
  if (!limits.time_s) limits.time_s = kMostSeconds;
  const auto session = context.pool.load(setup.spec, source, limits);
  if (!session) return std::nullopt;
  tensor::NamedTensors feeds;
  for (const worker::Port& port : (*session)->info().inputs) {
    if (const tensor::Tensor* value = inputs.find(port.name)) feeds.set(port.name, *value);
  }
  const auto result = (*session)->infer(feeds, {}, limits);
  if (!result) return std::nullopt;
  return result->outputs;
}

std::string engine_version(const run::EngineSetup& setup, Context& context) {
  const auto version = context.pool.engine_version(setup.spec, {.time_s = kMostSeconds, .memory_bytes = {}});
  return version.value_or("unknown");
}

std::string version_text(const run::EngineSetup& setup, Context& context) {
  return fmt::format("{} ({})", engine_version(setup, context), setup.spec.library.filename().string());
}

// The engine that the programs use, and its outputs.
struct Observed {
  const run::EngineSetup* engine = nullptr;  // null: there are programs for none of them
  std::string why;
  tensor::NamedTensors seen;
};
base::Expected<Observed> observe(Plan& plan, const model::Model& model, Context& context) {
  ASSAY_ASSIGN(model::ReferencedModel bytes, model::serialize_by_reference(model));
  const worker::ModelSource source =
      worker::ModelBytes{tensor::Buffer::own(std::move(bytes.bytes)), bytes.external_data_dir};
  std::vector<std::optional<tensor::NamedTensors>> results;
  for (const auto& setup : plan.engines) results.push_back(run_engine(setup, source, plan.inputs, context));
  std::vector<EngineRun> runs;
  for (std::size_t i = 0; i < results.size(); ++i) {
    runs.push_back({.setup = plan.engines[i], .outputs = results[i] ? &*results[i] : nullptr});
  }
  const auto choice = choose_repro_engine(runs, plan.expected, plan.tolerances);
  if (!choice) return Observed{};
  if (plan.expected.empty() && choice->expected) {
    const run::EngineSetup& other = plan.engines[*choice->expected];
    plan.expected = *results[*choice->expected];
    plan.expected_from =
        fmt::format("the outputs of the check's other engine, {} {}", other.engine, version_text(other, context));
  }
  return Observed{.engine = &plan.engines[choice->engine],
                  .why = choice->why,
                  .seen = results[choice->engine].value_or(tensor::NamedTensors{})};
}

report::Tolerances tolerances(const compare::PerOutput<double>& setting) {
  report::Tolerances table{{"", setting.others}};
  for (const auto& [output, value] : setting.own) table[output] = value;
  return table;
}

base::Expected<Plan> make_plan(const ReproOptions::Failing& failing, Context& context) {
  if (failing.check.size() > 1 && failing.check[1] == "run" && is_own_command(failing.check, context.installation)) {
    auto settings = Run::settings({failing.check.begin() + 2, failing.check.end()}, context);
    if (settings && !settings->engines.empty()) return plan_of_run(*std::move(settings), failing.model, context);
  }
  return plan_of_anything(failing, context);
}

}  // namespace

void ReproOptions::add_to(CLI::App& app) {
  app.add_option(
      "--repro", folder_,
      "Write a bug report to this folder, which must be new or empty: the model, inputs, outputs, versions, and "
      "programs in Python and C++ that show the failure with the API of the engine at fault, ONNX Runtime or OpenVINO");
}

base::Status ReproOptions::check() const {
  return given() ? report::check_repro_folder(folder_) : base::Status();
}

base::Status ReproOptions::save(const Failing& failing, Context& context) const {
  ASSAY_ASSIGN(Plan plan, make_plan(failing, context));
  ASSAY_ASSIGN(Observed observed, observe(plan, failing.model, context));
  report::ReproInput input{.model = failing.model, .verbatim = failing.verbatim};
  input.check_is_known = plan.check_is_known;
  input.validate = plan.validate;
  input.versions = {{"Assay", ASSAY_VERSION}, {"ONNX (the library in Assay)", ASSAY_ONNX_VERSION}};
  if (observed.engine) {
    const run::EngineSetup& setup = *observed.engine;
    input.engine = {.kind = setup.spec.kind, .options = setup.spec.options, .why = std::move(observed.why)};
  }
  for (const run::EngineSetup& setup : plan.engines) {
    input.versions.emplace_back(setup.engine, version_text(setup, context));
  }
  for (auto& fact : report::describe_machine()) input.versions.push_back(std::move(fact));
  input.inputs = std::move(plan.inputs);
  input.inputs_from = std::move(plan.inputs_from);
  input.seen = std::move(observed.seen);
  input.expected = std::move(plan.expected);
  input.expected_from = std::move(plan.expected_from);
  input.absolute = tolerances(plan.tolerances.absolute_tolerance);
  input.relative = tolerances(plan.tolerances.relative_tolerance);
  input.check = shell_text(failing.check);
  input.ending = failing.verdict.text;
  input.output = failing.verdict.output;
  input.summary = failing.summary;
  ASSAY_TRY(report::write_repro(folder_, input));
  context.log.info("Wrote the bug report to {}", folder_);
  return {};
}

}  // namespace assay::cli
