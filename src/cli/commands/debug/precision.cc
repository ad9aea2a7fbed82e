// `assay debug precision`: finds the nodes that have to stay in float32 when the others run in float16.
//
// Two ways to judge a candidate: the engine runs the model with rounded values, which are compared with those of
// float32; or a check command judges the mixed model in a file. In both, one run of the engine shows beforehand which
// values exceed float16's range.
//
// TensorRT chooses precisions while it builds. There the candidates are sets of layers that it has to keep in float32,
// and the check judges the engine that it builds.
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/counted.h"
#include "base/shell_text.h"
#include "blame/judge_precision.h"
#include "blame/precision_layers.h"
#include "blame/precision_nodes.h"
#include "blame/search_precision.h"
#include "cli/check_paths.h"
#include "cli/checks/command_with_check.h"
#include "cli/checks/judge_iteration.h"
#include "cli/commands/debug/float16_tolerances.h"
#include "cli/commands/debug/judging_plan.h"
#include "cli/commands/debug/measured_values.h"
#include "cli/commands/make_commands.h"
#include "cli/first_error.h"
#include "cli/loaded_shapes.h"
#include "cli/options/compare_options.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/iteration_options.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/refused_options.h"
#include "cli/parse/given_words.h"
#include "cli/run_inputs.h"
#include "model/save.h"
#include "reduce/candidates/scratch_files.h"
#include "reduce/verdicts/iterations.h"
#include "run/layer_precisions.h"

namespace assay::cli {
namespace {

class DebugPrecision final : public CommandWithCheck {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  using Values = std::map<std::string, double>;  // the largest value of each tensor; empty if they aren't known

  struct Choice {
    std::set<int> keep;   // the numbers of what has to be kept
    base::Status status;  // an error if something ended the search early; `keep` is then the best so far
  };

  // Returns the mode. Only bisect and linear begin at one end, so --dir chooses bisect.
  [[nodiscard]] std::string mode() const;
  [[nodiscard]] base::Status check_options(const std::vector<run::EngineSetup>& engines) const;
  [[nodiscard]] base::Status check_judges(const std::vector<run::EngineSetup>& engines, bool in_tensorrt) const;

  base::Expected<int> search_nodes(const std::optional<run::EngineSetup>& engine, Context& context) const;
  base::Status save(const blame::PrecisionNodes& nodes, const std::set<int>& keep, Context& context) const;
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

  ModelOptions model_;
  EngineOptions engines_;
  IterationOptions iterations_;
  DataLoaderOptions loader_;
  ComparisonOptions comparison_;
  ModelSaveOptions save_;
  RefusedOptions refused_;
  CLI::App* app_ = nullptr;
  std::string mode_ = "minimal";
  std::string direction_ = "forward";
  std::string precision_ = "float32";
};

using base::ErrorKind;
using base::fail;

}  // namespace

void DebugPrecision::add_options(CLI::App& app) {
  app_ = &app;
  model_.add_to(app, {.input_shapes = true, .inference = ModelOptions::Inference::opt_in});
  constexpr auto kGroup = "Precision";
  app.add_option("--mode", mode_,
                 "minimal: keep a set of nodes in float32 of which none can be left out; bisect: keep the first nodes, "
                 "as many as needed, found by halving; linear: the same, found node by node. With --dir the default is "
                 "bisect")
      ->check(CLI::IsMember({"minimal", "bisect", "linear"}))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option("--dir,--direction", direction_, "bisect and linear: begin with the first nodes or the last ones")
      ->check(CLI::IsMember({"forward", "reverse"}))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option("-p,--precision", precision_,
                 "The precision of what is kept. float16 needs --trt with --fp16 and a lower precision, such as --int8")
      ->check(CLI::IsMember({"float32", "float16"}))
      ->capture_default_str()
      ->group(kGroup);
  engines_.add_to(app);
  check_.add_to(app);
  iterations_.add_to(app, {.iter_artifact = "polygraphy_debug.onnx", .until = false});
  app.get_option("--iter-artifact")->default_str("polygraphy_debug.onnx, or polygraphy_debug.engine with --trt");
  loader_.add_to(app);
  comparison_.add_to(app, ComparisonOptions::Subject::outputs, float16_tolerances());
  save_.add_to(app, ModelSaveOptions::Output::optional);
  engines_.add_tensorrt_to(app, tensorrt::build_settings());
  refused_.add_to(app, tensorflow_options());
}

std::string DebugPrecision::mode() const {
  return app_->count("--mode") == 0 && app_->count("--dir") > 0 ? "bisect" : mode_;
}

base::Status DebugPrecision::check_options(const std::vector<run::EngineSetup>& engines) const {
  ASSAY_TRY(model_.check_runnable());
  if (mode() == "minimal" && app_->count("--dir") > 0) {
    return fail(ErrorKind::invalid_input, "minimal mode doesn't begin at one end", "--dir",
                "Leave it out, or use --mode bisect or linear");
  }
  const bool in_tensorrt = only_tensorrt(engines);
  ASSAY_TRY(check_judges(engines, in_tensorrt));
  ASSAY_TRY(check_paths(
      {{"-o", save_.output()},
       {"--iter-artifact", (in_tensorrt ? iterations_.engine_artifact() : iterations_.iter_artifact()).string()},
       {"--save-debug-replay", iterations_.save_replay().string()},
       {"--iter-info", iterations_.info()}},
      files_read(model_, loader_)));
  ASSAY_TRY(save_.save_options());
  ASSAY_TRY(iterations_.check());
  return check_writable(save_.output(), "-o");
}

base::Status DebugPrecision::check_judges(const std::vector<run::EngineSetup>& engines, bool in_tensorrt) const {
  if (precision_ != "float32" && !in_tensorrt) {
    return fail(ErrorKind::unsupported, "the other nodes would have to run in int8, which needs TensorRT",
                "--precision", "Add --trt, or leave it out: nodes are kept in float32, and the others run in float16");
  }
  if (engines.size() > 1 || (!engines.empty() && !in_tensorrt && check_.has_command())) {
    return fail(ErrorKind::invalid_input, "only one engine or one check can judge", {},
                "Give one engine, e.g. --onnxrt, or --check COMMAND. With --trt, the check judges the engine that "
                "TensorRT builds");
  }
  if (in_tensorrt) {
    for (const std::string& word : given_words(*app_, {"ONNX Model Saving"})) {
      return fail(ErrorKind::invalid_input,
                  "TensorRT chooses precisions when it builds an engine, so no model of mixed precision can be saved",
                  word, "Leave it out. `assay convert` builds an engine with the options that this command prints");
    }
  }
  if (engines.empty()) ASSAY_TRY(engines_.check_unused());
  const bool compares = !engines.empty() && !check_.has_command();
  for (const CLI::Option* option : app_->get_options()) {
    if (compares || option->count() == 0 || !option->get_group().starts_with(ComparisonOptions::kGroup)) continue;
    return fail(ErrorKind::invalid_input, "no outputs are compared, so this option would have no effect",
                option->get_name(), "Leave it out, or give an engine, e.g. --onnxrt, and no --check");
  }
  if (compares) {
    for (const std::string& word :
         given_words(*app_, {"Artifact Sorting", "Iterative Debugging", "Pass/Fail Reporting"})) {
      if (!word.starts_with("--") || word.ends_with("-debug-replay")) continue;
      return fail(ErrorKind::invalid_input, "an engine judges without a file or a command", word,
                  "Leave it out, or judge with --check COMMAND instead of an engine");
    }
  }
  return {};
}

base::Expected<int> DebugPrecision::run(Context& context) {
  ASSAY_TRY(refused_.check());
  ASSAY_ASSIGN(std::vector<run::EngineSetup> engines, engines_.setups(context.installation));
  ASSAY_TRY(check_options(engines));
  save_.warn_if_not_saved(save_.output(), "-o", context.log);
  if (engines.empty()) return search_nodes(std::nullopt, context);
  if (!only_tensorrt(engines)) return search_nodes(engines.front(), context);
  ASSAY_TRY(set_tensorrt_model(engines, model_, context.installation));
  ASSAY_TRY(set_loaded_shapes(engines, model_, loader_, context));
  return search_layers(engines.front(), context);
}

base::Expected<int> DebugPrecision::search_nodes(const std::optional<run::EngineSetup>& engine,
                                                 Context& context) const {
  ASSAY_ASSIGN(model::Model model, model_.load(context.log));
  ASSAY_ASSIGN(const auto nodes, blame::PrecisionNodes::make(std::move(model), engine, model_.file()));
  context.log.info("{} of the model can run in float16", base::counted(nodes.candidates().size(), nodes.unit()));
  blame::PrecisionJudge judge;
  Values largest;
  if (engine) {
    ASSAY_TRY(blame::check_rounding(*engine, context.pool));
    ASSAY_ASSIGN(const auto outputs, run_reference(nodes, context));
    largest = measured_values(nodes.model(), *engine, outputs->first_inputs(), context);
    judge = blame::judge_by_outputs(nodes, outputs);
  } else {
    ASSAY_ASSIGN(const std::uint64_t bytes, model::inline_bytes(nodes.model()));
    ASSAY_ASSIGN(judge, judge_artifact(nodes, iterations_.iter_artifact(), bytes > model::kLargestFile, context));
    ASSAY_ASSIGN(largest, measured_values(nodes.model(), model_, loader_, context));
  }
  ASSAY_ASSIGN(const Choice choice, search(nodes, judge, largest, context));
  ASSAY_TRY(first_error({choice.status, save(nodes, choice.keep, context)}, context.log));
  return kExitPassed;
}

base::Status DebugPrecision::save(const blame::PrecisionNodes& nodes, const std::set<int>& keep,
                                  Context& context) const {
  if (save_.output().empty()) return {};
  ASSAY_ASSIGN(const model::SaveOptions options, save_.save_options());
  ASSAY_TRY(nodes.save(keep, save_.output(), options, context.log));
  context.log.info("Saved the mixed model to {}", save_.output());
  return {};
}

base::Expected<int> DebugPrecision::search_layers(const run::EngineSetup& engine, Context& context) const {
  ASSAY_TRY(run::check_lower_precision(engine, precision_));
  ASSAY_ASSIGN(const worker::ModelSource source, model_.engine_source(context.log));
  ASSAY_ASSIGN(const auto layers,
               blame::PrecisionLayers::make({engine, source, precision_, model_.file()}, context.pool, context.log));
  context.log.info("{} of the network can run in a lower precision",
                   base::counted(layers.candidates().size(), layers.unit()));
  blame::PrecisionJudge judge;
  if (check_.has_command()) {
    ASSAY_ASSIGN(judge, judge_artifact(layers, iterations_.engine_artifact(), false, context));
  } else {
    ASSAY_ASSIGN(const auto outputs, run_reference(layers, context));
    judge = blame::judge_by_outputs(layers, outputs);
  }
  Values largest;
  if (run::allows_float16(engine)) {
    ASSAY_ASSIGN(const model::Model model, model_.load_as_it_is());
    ASSAY_ASSIGN(largest, measured_values(model, model_, loader_, context));
  }
  ASSAY_ASSIGN(const Choice choice, search(layers, judge, largest, context));
  if (!choice.keep.empty()) {
    context.log.info("To build the engine this way: {}", base::shell_text(layers.options_for(choice.keep)));
  }
  ASSAY_TRY(choice.status);
  return kExitPassed;
}

base::Expected<std::shared_ptr<const blame::OutputJudge>> DebugPrecision::run_reference(
    const blame::PrecisionSubject& subject, Context& context) const {
  ASSAY_ASSIGN(run::RunPlan plan, judging_plan(model_, loader_, comparison_, context, float16_tolerances()));
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
  if (iterations_.keeps_iter_artifact()) scratch->keep();
  return blame::judge_by_file(subject, artifact, [check, scratch] { return check(); });
}

base::Expected<DebugPrecision::Choice> DebugPrecision::search(const blame::PrecisionSubject& subject,
                                                              const blame::PrecisionJudge& judge, const Values& largest,
                                                              Context& context) const {
  blame::PrecisionOptions options{.reverse = direction_ == "reverse"};
  if (mode() == "bisect") options.mode = blame::PrecisionMode::bisect;
  if (mode() == "linear") options.mode = blame::PrecisionMode::linear;
  ASSAY_ASSIGN(reduce::Iterations iterations,
               reduce::Iterations::make(iterations_.setup(), std::chrono::system_clock::now(), context.log));
  const blame::PrecisionSearch search{options, largest, precision_};
  blame::PrecisionFindings found;
  base::Status status = blame::search_precision(subject, judge, search, iterations, context.log, context.stop, found);
  if (!status && status.error().kind == ErrorKind::interrupted) {
    status.error().fix =
        fmt::format("To continue, run it again with --load-debug-replay {}", iterations_.save_replay().string());
  }
  if (!status && (!found.passes || found.kept.size() == subject.candidates().size())) return fail(status.error());
  if (!found.passes) {
    return fail(ErrorKind::invalid_input,
                fmt::format("the model fails even if all {}s stay in {}", subject.unit(), precision_), model_.file(),
                fmt::format("Find out first why it fails in {}, e.g. with debug reduce", precision_));
  }
  if (status) {
    context.log.info("{}", blame::to_text(found, subject, search));
  } else {
    context.log.info("The best so far: {} of {} stay in {}. Perhaps fewer are enough", found.kept.size(),
                     base::counted(subject.candidates().size(), subject.unit()), precision_);
  }
  return Choice{.keep = blame::numbers_at(subject, found.kept), .status = std::move(status)};
}

std::unique_ptr<Command> make_debug_precision() {
  return std::make_unique<DebugPrecision>();
}

}  // namespace assay::cli
