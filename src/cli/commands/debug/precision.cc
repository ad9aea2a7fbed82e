// `assay debug precision`: finds the nodes that have to stay in float32 when the others run in float16, or quantized.
//
// Two ways to judge a candidate: the engine runs the model with rounded values, which are compared with those of
// float32; or a check command judges the mixed model in a file. In both, one run of the engine shows beforehand which
// values exceed float16's range. If the model is quantized, the engine runs the mixed model itself.
//
// TensorRT chooses precisions while it builds. There the candidates are sets of layers that it has to keep in float32,
// and the check judges the engine that it builds.
#include <fmt/ostream.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/at.h"
#include "base/counted.h"
#include "base/json_text.h"
#include "base/shell_text.h"
#include "blame/judge_precision.h"
#include "blame/measured_values.h"
#include "blame/mix_precision.h"
#include "blame/precision_layers.h"
#include "blame/search_precision.h"
#include "cli/checks/command_with_check.h"
#include "cli/checks/judge_iteration.h"
#include "cli/commands/debug/judging_plan.h"
#include "cli/commands/debug/precision/debug_precision_options.h"
#include "cli/commands/make_commands.h"
#include "cli/options/float16_tolerances.h"
#include "cli/steps/first_error.h"
#include "cli/steps/fit_profiles.h"
#include "cli/steps/run_inputs.h"
#include "data/input_source.h"
#include "model/load.h"
#include "model/save.h"
#include "model/serialize.h"
#include "reduce/candidates/scratch_files.h"
#include "reduce/verdicts/iterations.h"
#include "run/layer_precisions.h"

namespace assay::cli {
namespace {

class DebugPrecision final : public CommandWithCheck {
 public:
  void add_options(CLI::App& app) override { options_.add_to(app, check_); }
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return options_.format.json(); }

 private:
  // Searches nodes, in float16 or quantized. Saves the mixed model.
  base::Expected<int> search_nodes(std::optional<run::EngineSetup> engine, Context& context) const;
  base::Status save(const blame::MixAnswer& answer, Context& context) const;
  base::Expected<int> search_layers(const run::EngineSetup& engine, Context& context) const;
  base::Expected<run::RunPlan> plan(Context& context) const;
  base::Expected<data::InputsByIteration> inputs(Context& context) const;
  // Returns a judge that runs the check on the artifact. It removes the artifact, and its file of weights if it is a
  // model that may need one, when it is destroyed.
  base::Expected<blame::PrecisionJudge> judge_artifact(const blame::PrecisionSubject& subject,
                                                       const std::filesystem::path& artifact, bool has_weights_file,
                                                       Context& context) const;
  base::Expected<reduce::Iterations> make_iterations(Context& context) const;
  void print_json(const blame::PrecisionChoice& choice, const blame::PrecisionSubject& subject,
                  const blame::PrecisionSearch& search, const blame::PrecisionAnswer& answer, Context& context) const;

  DebugPrecisionOptions options_;
};

}  // namespace

base::Expected<int> DebugPrecision::run(Context& context) {
  ASSAY_TRY(options_.refused.check());
  ASSAY_ASSIGN(std::vector<run::EngineSetup> engines, options_.engines.setups(context.installation));
  ASSAY_TRY(options_.check(check_, engines));
  options_.saving.warn_if_not_saved(options_.saving.output(), "-o", context.log);
  if (only_tensorrt(engines)) {
    ASSAY_TRY(set_tensorrt_model(engines, options_.model, context.installation));
    ASSAY_TRY(fit_profiles(engines, options_.model, options_.loader, context));
  }
  if (options_.searches_layers(engines)) return search_layers(engines.front(), context);
  return search_nodes(engines.empty() ? std::nullopt : std::optional(engines.front()), context);
}

base::Expected<int> DebugPrecision::search_nodes(std::optional<run::EngineSetup> engine, Context& context) const {
  ASSAY_ASSIGN(reduce::Iterations iterations, make_iterations(context));
  ASSAY_ASSIGN(model::Model model, options_.model.load(context.log));
  blame::MixTask task{.model = std::move(model),
                      .engine = std::move(engine),
                      .options = options_.search(),
                      .iterations = &iterations,
                      .name = options_.model.file(),
                      .quantized_name = options_.quantized};
  if (!options_.quantized.empty()) {
    ASSAY_ASSIGN(task.quantized, model::load(options_.quantized));
  }
  if (task.engine) {
    ASSAY_ASSIGN(task.plan, plan(context));
  } else if (!task.quantized) {
    ASSAY_ASSIGN(task.plan.inputs, inputs(context));
  }
  task.check = [&](const blame::MixedModel& models) -> base::Expected<blame::PrecisionJudge> {
    ASSAY_ASSIGN(const std::uint64_t bytes, model::inline_bytes(models.whole()));
    return judge_artifact(models, options_.iterations.iter_artifact(), bytes > model::kLargestFile, context);
  };
  ASSAY_ASSIGN(
      const blame::MixAnswer answer,
      blame::mix_precision(std::move(task), {context.pool, context.log, context.stop, context.installation.engines}));
  const auto& [models, search, choice] = answer;
  context.log.info("{}", blame::to_text(choice, *models, search));
  const std::vector<std::string> names = models->names_of(choice.keep);
  if (!options_.quantized.empty() && !names.empty()) {
    context.log.info("To quantize the others again with ONNX Runtime: nodes_to_exclude={}",
                     base::json_text(nlohmann::json(names)));
  }
  const base::Status saved = save(answer, context);
  if (saved) print_json(choice, *models, search, {.names = names, .model = options_.saving.output()}, context);
  ASSAY_TRY(first_error({choice.status, saved}, context.log));
  return kExitPassed;
}

base::Status DebugPrecision::save(const blame::MixAnswer& answer, Context& context) const {
  if (options_.saving.output().empty()) return {};
  ASSAY_ASSIGN(const model::SaveOptions options, options_.saving.save_options());
  ASSAY_TRY(answer.models->save(answer.choice.keep, options_.saving.output(), options, context.log));
  context.log.info("Saved the mixed model to {}", options_.saving.output());
  return {};
}

base::Expected<int> DebugPrecision::search_layers(const run::EngineSetup& engine, Context& context) const {
  ASSAY_TRY(run::check_lower_precision(engine, options_.precision));
  ASSAY_ASSIGN(const worker::ModelSource source, options_.model.engine_source(context.log));
  ASSAY_ASSIGN(const auto layers,
               blame::PrecisionLayers::make({engine, source, options_.precision, options_.model.file()}, context.pool,
                                            context.log));
  context.log.info("{} of the network can run in a lower precision",
                   base::counted(layers.candidates().size(), layers.unit()));
  blame::PrecisionJudge judge;
  if (check_.has_command()) {
    ASSAY_ASSIGN(judge, judge_artifact(layers, options_.iterations.engine_artifact(), false, context));
  } else {
    ASSAY_ASSIGN(const auto reference, layers.reference());
    ASSAY_ASSIGN(run::RunPlan outputs, plan(context));
    ASSAY_ASSIGN(blame::OutputJudge judging,
                 blame::OutputJudge::make(reference.engine, reference.model,
                                          {std::move(outputs), context.pool, context.log, context.stop}));
    judge = blame::judge_by_outputs(layers, std::make_shared<const blame::OutputJudge>(std::move(judging)));
  }
  blame::PrecisionSearch search{.options = options_.search(),
                                .largest = {},
                                .precision = options_.precision,
                                .model = options_.model.file(),
                                .quantized = {}};
  if (run::allows_float16(engine) && !options_.model.is_network_script()) {
    ASSAY_ASSIGN(const model::Model model, options_.model.load_as_it_is());
    ASSAY_ASSIGN(const data::InputsByIteration inputs, this->inputs(context));
    ASSAY_ASSIGN(search.largest,
                 blame::measured_values(model, inputs, context.installation.engines, context.pool, context.log));
  }
  ASSAY_ASSIGN(reduce::Iterations iterations, make_iterations(context));
  ASSAY_ASSIGN(const blame::PrecisionChoice choice,
               blame::search_precision(layers, judge, search, &iterations, context.log, context.stop));
  context.log.info("{}", blame::to_text(choice, layers, search));
  blame::PrecisionAnswer answer;
  if (!choice.keep.empty()) {
    answer.options = layers.options_for(choice.keep);
    context.log.info("To build the engine this way: {}", base::shell_text(answer.options));
  }
  for (const int at : choice.found.kept) answer.names.push_back(layers.candidates()[base::at(at)].name);
  print_json(choice, layers, search, answer, context);
  ASSAY_TRY(choice.status);
  return kExitPassed;
}

base::Expected<run::RunPlan> DebugPrecision::plan(Context& context) const {
  return judging_plan(options_.model, options_.loader, options_.comparison, context, float16_tolerances(),
                      options_.way_to_compare());
}

base::Expected<data::InputsByIteration> DebugPrecision::inputs(Context& context) const {
  ASSAY_ASSIGN(const std::shared_ptr<data::InputSource> source, open_inputs(options_.model, options_.loader, context));
  return std::bind_front(&data::InputSource::iteration, source);
}

base::Expected<reduce::Iterations> DebugPrecision::make_iterations(Context& context) const {
  return reduce::Iterations::make(options_.iterations.setup(), std::chrono::system_clock::now(), context.log);
}

base::Expected<blame::PrecisionJudge> DebugPrecision::judge_artifact(const blame::PrecisionSubject& subject,
                                                                     const std::filesystem::path& artifact,
                                                                     bool has_weights_file, Context& context) const {
  ASSAY_ASSIGN(const reduce::FileJudge check, judge_iteration(check_, context, "'" + artifact.string() + "'"));
  ASSAY_ASSIGN(std::shared_ptr<reduce::ScratchFiles> scratch, reduce::ScratchFiles::claim(artifact, context.log));
  std::vector<std::filesystem::path> files = {artifact};
  if (has_weights_file) files.emplace_back(artifact.string() + ".data");  // as model::save() names it
  ASSAY_TRY(scratch->add(files));
  if (options_.iterations.keeps_iter_artifact()) scratch->keep();
  return blame::judge_by_file(subject, artifact, [check, scratch] { return check(); });
}

void DebugPrecision::print_json(const blame::PrecisionChoice& choice, const blame::PrecisionSubject& subject,
                                const blame::PrecisionSearch& search, const blame::PrecisionAnswer& answer,
                                Context& context) const {
  if (!options_.format.json()) return;
  fmt::print(context.out, "{}\n", blame::to_json(choice, subject, search, answer));
}

std::unique_ptr<Command> make_debug_precision() {
  return std::make_unique<DebugPrecision>();
}

}  // namespace assay::cli
