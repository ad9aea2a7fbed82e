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
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/at.h"
#include "base/counted.h"
#include "base/shell_text.h"
#include "blame/judge_precision.h"
#include "blame/mixed_model.h"
#include "blame/precision_layers.h"
#include "blame/precision_nodes.h"
#include "blame/quantized_nodes.h"
#include "blame/search_precision.h"
#include "cli/checks/command_with_check.h"
#include "cli/checks/judge_iteration.h"
#include "cli/commands/debug/judging_plan.h"
#include "cli/commands/debug/measured_values.h"
#include "cli/commands/debug/precision/debug_precision_options.h"
#include "cli/commands/make_commands.h"
#include "cli/options/float16_tolerances.h"
#include "cli/steps/first_error.h"
#include "cli/steps/loaded_shapes.h"
#include "cli/steps/run_inputs.h"
#include "model/load.h"
#include "model/save.h"
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
  using Values = std::map<std::string, double>;  // the largest value of each tensor; empty if they aren't known

  struct Choice {
    blame::PrecisionFindings found;
    std::set<int> keep;   // the numbers of what has to be kept
    base::Status status;  // an error if something ended the search early; the others are then the best so far
  };

  using Engine = std::optional<run::EngineSetup>;  // absent: a check judges
  base::Expected<int> search_nodes(const Engine& engine, Context& context) const;
  base::Expected<int> search_quantized(const Engine& engine, Context& context) const;
  // How the mixed models are judged: by the check, if `outputs` is null.
  struct Judging {
    blame::PrecisionJudge judge;
    std::shared_ptr<const blame::OutputJudge> outputs;
  };
  base::Expected<Judging> judge_models(const blame::MixedModel& models, const Engine& engine, Context& context) const;
  // Saves the mixed model. Returns the exit status. Errors: that of the choice, and those of saving.
  base::Expected<int> finish(const blame::MixedModel& models, const Choice& choice, const Values& largest,
                             Context& context) const;
  base::Status save(const blame::MixedModel& models, const std::set<int>& keep, Context& context) const;
  void print_json(const blame::PrecisionSubject& subject, const Choice& choice, const Values& largest,
                  blame::PrecisionAnswer answer, Context& context) const;
  base::Expected<int> search_layers(const run::EngineSetup& engine, Context& context) const;
  // Runs the reference.
  base::Expected<std::shared_ptr<const blame::OutputJudge>> run_reference(const blame::PrecisionSubject& subject,
                                                                          Context& context) const;
  // Returns a judge that runs the check on the artifact. It removes the artifact, and its file of weights if it is a
  // model that may need one, when it is destroyed.
  base::Expected<blame::PrecisionJudge> judge_artifact(const blame::PrecisionSubject& subject,
                                                       const std::filesystem::path& artifact, bool has_weights_file,
                                                       Context& context) const;
  // Searches and reports. Errors: nothing can be left out, or not by now.
  base::Expected<Choice> search(const blame::PrecisionSubject& subject, const blame::PrecisionJudge& judge,
                                const Values& largest, Context& context) const;

  DebugPrecisionOptions options_;
};

using base::ErrorKind;
using base::fail;

}  // namespace

base::Expected<int> DebugPrecision::run(Context& context) {
  ASSAY_TRY(options_.refused.check());
  ASSAY_ASSIGN(std::vector<run::EngineSetup> engines, options_.engines.setups(context.installation));
  ASSAY_TRY(options_.check(check_, engines));
  options_.saving.warn_if_not_saved(options_.saving.output(), "-o", context.log);
  if (only_tensorrt(engines)) {
    ASSAY_TRY(set_tensorrt_model(engines, options_.model, context.installation));
    ASSAY_TRY(set_loaded_shapes(engines, options_.model, options_.loader, context));
  }
  if (options_.searches_layers(engines)) return search_layers(engines.front(), context);
  const Engine engine = engines.empty() ? Engine() : engines.front();
  return options_.quantized.empty() ? search_nodes(engine, context) : search_quantized(engine, context);
}

base::Expected<int> DebugPrecision::search_nodes(const Engine& engine, Context& context) const {
  ASSAY_ASSIGN(model::Model model, options_.model.load(context.log));
  ASSAY_ASSIGN(const auto nodes, blame::PrecisionNodes::make(std::move(model), engine, options_.model.file()));
  context.log.info("{} of the model can run in float16", base::counted(nodes.candidates().size(), nodes.unit()));
  if (engine) ASSAY_TRY(blame::check_rounding(*engine, context.pool));
  ASSAY_ASSIGN(const Judging judging, judge_models(nodes, engine, context));
  Values largest;
  if (judging.outputs) {
    largest = measured_values(nodes.whole(), *engine, judging.outputs->first_inputs(), context);
  } else {
    ASSAY_ASSIGN(largest, measured_values(nodes.whole(), options_.model, options_.loader, context));
  }
  ASSAY_ASSIGN(const Choice choice, search(nodes, judging.judge, largest, context));
  return finish(nodes, choice, largest, context);
}

base::Expected<int> DebugPrecision::search_quantized(const Engine& engine, Context& context) const {
  ASSAY_ASSIGN(model::Model floats, options_.model.load(context.log));
  ASSAY_ASSIGN(model::Model quantized, model::load(options_.quantized));
  ASSAY_ASSIGN(const auto nodes,
               blame::QuantizedNodes::make(std::move(floats), std::move(quantized), engine, options_.quantized));
  context.log.info("The quantized model differs in {}", base::counted(nodes.candidates().size(), "node"));
  ASSAY_ASSIGN(const Judging judging, judge_models(nodes, engine, context));
  ASSAY_ASSIGN(const Choice choice, search(nodes, judging.judge, {}, context));
  if (!choice.keep.empty()) {
    context.log.info("To quantize the others again with ONNX Runtime: nodes_to_exclude={}",
                     nlohmann::json(nodes.names_of(choice.keep)).dump());
  }
  return finish(nodes, choice, {}, context);
}

base::Expected<int> DebugPrecision::finish(const blame::MixedModel& models, const Choice& choice, const Values& largest,
                                           Context& context) const {
  const base::Status saved = save(models, choice.keep, context);
  if (saved) {
    print_json(models, choice, largest, {.names = models.names_of(choice.keep), .model = options_.saving.output()},
               context);
  }
  ASSAY_TRY(first_error({choice.status, saved}, context.log));
  return kExitPassed;
}

void DebugPrecision::print_json(const blame::PrecisionSubject& subject, const Choice& choice, const Values& largest,
                                blame::PrecisionAnswer answer, Context& context) const {
  if (!options_.format.json()) return;
  answer.stopped = !choice.status;
  const blame::PrecisionSearch search{options_.search(), largest, options_.precision};
  fmt::print(context.out, "{}\n", blame::to_json(choice.found, subject, search, answer));
}

base::Expected<DebugPrecision::Judging> DebugPrecision::judge_models(const blame::MixedModel& models,
                                                                     const Engine& engine, Context& context) const {
  Judging judging;
  if (engine) {
    ASSAY_ASSIGN(judging.outputs, run_reference(models, context));
    judging.judge = blame::judge_by_outputs(models, judging.outputs);
  } else {
    ASSAY_ASSIGN(const std::uint64_t bytes, model::inline_bytes(models.whole()));
    ASSAY_ASSIGN(judging.judge,
                 judge_artifact(models, options_.iterations.iter_artifact(), bytes > model::kLargestFile, context));
  }
  return judging;
}

base::Status DebugPrecision::save(const blame::MixedModel& models, const std::set<int>& keep, Context& context) const {
  if (options_.saving.output().empty()) return {};
  ASSAY_ASSIGN(const model::SaveOptions options, options_.saving.save_options());
  ASSAY_TRY(models.save(keep, options_.saving.output(), options, context.log));
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
    ASSAY_ASSIGN(const auto outputs, run_reference(layers, context));
    judge = blame::judge_by_outputs(layers, outputs);
  }
  Values largest;
  if (run::allows_float16(engine) && !options_.model.is_network_script()) {
    ASSAY_ASSIGN(const model::Model model, options_.model.load_as_it_is());
    ASSAY_ASSIGN(largest, measured_values(model, options_.model, options_.loader, context));
  }
  ASSAY_ASSIGN(const Choice choice, search(layers, judge, largest, context));
  blame::PrecisionAnswer answer;
  if (!choice.keep.empty()) {
    answer.options = layers.options_for(choice.keep);
    context.log.info("To build the engine this way: {}", base::shell_text(answer.options));
  }
  for (const int at : choice.found.kept) answer.names.push_back(layers.candidates()[base::at(at)].name);
  print_json(layers, choice, largest, std::move(answer), context);
  ASSAY_TRY(choice.status);
  return kExitPassed;
}

base::Expected<std::shared_ptr<const blame::OutputJudge>> DebugPrecision::run_reference(
    const blame::PrecisionSubject& subject, Context& context) const {
  ASSAY_ASSIGN(run::RunPlan plan, judging_plan(options_.model, options_.loader, options_.comparison, context,
                                               float16_tolerances(), options_.way_to_compare()));
  ASSAY_ASSIGN(const auto reference, subject.reference());
  ASSAY_ASSIGN(blame::OutputJudge judge,
               blame::OutputJudge::make(reference.engine, reference.model,
                                        {std::move(plan), context.pool, context.log, context.stop}));
  return std::make_shared<const blame::OutputJudge>(std::move(judge));
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

base::Expected<DebugPrecision::Choice> DebugPrecision::search(const blame::PrecisionSubject& subject,
                                                              const blame::PrecisionJudge& judge, const Values& largest,
                                                              Context& context) const {
  ASSAY_ASSIGN(reduce::Iterations iterations,
               reduce::Iterations::make(options_.iterations.setup(), std::chrono::system_clock::now(), context.log));
  const blame::PrecisionSearch search{options_.search(), largest, options_.precision};
  blame::PrecisionFindings found;
  base::Status status = blame::search_precision(subject, judge, search, &iterations, context.log, context.stop, found);
  if (!status && status.error().kind == ErrorKind::interrupted) {
    status.error().fix = fmt::format("To continue, run it again with --load-debug-replay {}",
                                     options_.iterations.save_replay().string());
  }
  if (!status && (!found.passes || found.kept.size() == subject.candidates().size())) return fail(status.error());
  if (!found.passes) {
    return fail(ErrorKind::invalid_input,
                fmt::format("the model fails even if all {}s stay in {}", subject.unit(), options_.precision),
                options_.model.file(),
                options_.quantized.empty()
                    ? fmt::format("Find out first why it fails in {}, e.g. with debug reduce", options_.precision)
                    : fmt::format("Check that '{}' was made from this very model", options_.quantized));
  }
  if (status) {
    context.log.info("{}", blame::to_text(found, subject, search));
  } else {
    context.log.info("The best so far: {} of {} stay in {}. Perhaps fewer are enough", found.kept.size(),
                     base::counted(subject.candidates().size(), subject.unit()), options_.precision);
  }
  std::set<int> keep = blame::numbers_at(subject, found.kept);
  return Choice{.found = std::move(found), .keep = std::move(keep), .status = std::move(status)};
}

std::unique_ptr<Command> make_debug_precision() {
  return std::make_unique<DebugPrecision>();
}

}  // namespace assay::cli
