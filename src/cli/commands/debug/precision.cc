// `assay debug precision`: finds the nodes that have to stay in float32 when the others run in float16.
//
// Two ways to judge a candidate: the engine runs the model with rounded values, which are compared with those of
// float32; or a check command judges the mixed model in a file. In both, one run of the engine shows beforehand which
// values exceed float16's range.
//
// TensorRT chooses precisions while it builds. There the candidates are sets of layers that it has to keep in float32,
// and the check judges the engine that it builds.
#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "backend/engine_table.h"
#include "backend/find_engines.h"
#include "base/counted.h"
#include "base/files.h"
#include "base/strings.h"
#include "blame/build_engine.h"
#include "blame/find_precision.h"
#include "blame/mixed_precision.h"
#include "blame/network_layers.h"
#include "blame/output_judge.h"
#include "blame/value_ranges.h"
#include "cli/arguments.h"
#include "cli/check_paths.h"
#include "cli/command_with_check.h"
#include "cli/commands/make_commands.h"
#include "cli/judging_plan.h"
#include "cli/loaded_shapes.h"
#include "cli/options/compare_options.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/float16_tolerances.h"
#include "cli/options/given_words.h"
#include "cli/options/iteration_options.h"
#include "cli/options/judge_iteration.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/refused_options.h"
#include "model/input_specs.h"
#include "reduce/candidates/scratch_files.h"
#include "reduce/judge/repeat_judge.h"
#include "reduce/verdicts/iterations.h"
#include "run/ask_network.h"
#include "run/layer_precisions.h"
#include "run/marked_source.h"
#include "run/rounds_to_float16.h"
#include "surgeon/convert_to_float16.h"
#include "surgeon/inline_functions.h"

namespace assay::cli {
namespace {

class DebugPrecision final : public CommandWithCheck {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  // The judge of candidates, and values that were measured before the search.
  struct Judging {
    std::function<base::Expected<reduce::Verdict>(const std::set<int>& keep)> judge;
    std::map<std::string, double> largest;  // values of tensors; empty if they couldn't be measured
  };
  struct Subject {
    model::Model model;                       // without TensorRT
    std::vector<surgeon::Float16Node> nodes;  // or layers of TensorRT
    std::set<std::string> weights;            // beyond float16's range
    const char* unit = "node";                // or "layer"
  };
  // How TensorRT builds the model.
  struct LayerSubject {
    run::EngineSetup engine;
    worker::ModelSource model;
    Subject subject;  // its layers
  };

  [[nodiscard]] base::Status check_options(const std::vector<run::EngineSetup>& engines) const;
  [[nodiscard]] base::Expected<Subject> load(Context& context) const;
  base::Expected<Judging> judge_in(const run::EngineSetup& engine, const Subject& subject, Context& context);
  base::Expected<Judging> judge_by_check(const Subject& subject, Context& context);
  // Returns a judge that runs the check on the artifact, which `make` writes.
  using MakeArtifact = std::function<base::Status(const std::set<int>& keep)>;
  base::Expected<Judging> judge_artifact(const std::filesystem::path& artifact, MakeArtifact make, Context& context);
  base::Expected<blame::PrecisionFindings> search(const Subject& subject, const Judging& judging, Context& context);
  // Returns the numbers of what has to be kept.
  base::Expected<std::set<int>> report(const blame::PrecisionFindings& found, const Subject& subject,
                                       const Judging& judging, Context& context) const;
  base::Status save(const Subject& subject, const std::set<int>& keep, Context& context) const;
  // Measures the values inside the model, for the first inputs of the loader.
  [[nodiscard]] base::Expected<std::map<std::string, double>> measure_first_inputs(const model::Model& model,
                                                                                   Context& context) const;

  base::Expected<int> run_layers(run::EngineSetup engine, Context& context);
  [[nodiscard]] base::Expected<LayerSubject> load_layers(run::EngineSetup engine, Context& context) const;
  base::Expected<Judging> judge_layers(const LayerSubject& layers, Context& context);
  // Returns the words of --layer-precisions that keep these layers.
  [[nodiscard]] Words words_for(const LayerSubject& layers, const std::set<int>& keep) const;
  [[nodiscard]] std::filesystem::path engine_artifact() const;

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
using Kind = reduce::Verdict::Kind;

constexpr double kMeasureSeconds = 300;  // the limit for the run that measures, since an engine may hang

std::string describe(const surgeon::Float16Node& node, const std::map<std::string, double>& largest) {
  std::string text = node.op_type.empty() ? fmt::format("layer '{}'", node.name)
                                          : fmt::format("{} '{}' (node #{})", node.op_type, node.name, node.number);
  double most = 0;
  for (const std::string& tensor : node.tensors) {
    if (const auto value = largest.find(tensor); value != largest.end()) most = std::max(most, value->second);
  }
  if (most >= blame::kFloat16Limit) text += fmt::format(": values up to {:.4g}", most);
  return text;
}

// Returns the engine that measures values if a check judges, or nothing if none is found.
std::optional<run::EngineSetup> measuring_engine(const Installation& installation) {
  const auto found = backend::find_onnxruntime(installation.engines);
  if (!found) return std::nullopt;
  run::EngineSetup engine = engine_setup(*backend::find_engine_row(found->kind), found->library);
  engine.spec.options["graph_optimization_level"] = "ORT_DISABLE_ALL";
  engine.limits.time_s = kMeasureSeconds;
  return engine;
}

// Without measured values the search only takes more runs.
std::map<std::string, double> measure(const model::Model& model, const run::EngineSetup& engine,
                                      const tensor::NamedTensors& inputs, Context& context) {
  base::SilentLog quiet;
  auto largest = blame::largest_values(model, engine, inputs, context.pool, quiet);
  if (largest) return *std::move(largest);
  context.log.verbose("The values inside the model could not be measured: {}", largest.error().message());
  return {};
}

}  // namespace

void DebugPrecision::add_options(CLI::App& app) {
  app_ = &app;
  model_.add_to(app, {.input_shapes = true});
  constexpr auto kGroup = "Precision";
  app.add_option("--mode", mode_,
                 "minimal: keep a set of nodes in float32 of which none can be left out; bisect: keep the first nodes, "
                 "as many as needed, found by halving; linear: the same, found node by node")
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
  loader_.add_to(app);
  comparison_.add_to(app);
  save_.add_to(app, ModelSaveOptions::Output::optional);
  engines_.add_tensorrt_to(app, tensorrt::build_settings());
  refused_.add_to(app, tensorflow_options());
}

base::Status DebugPrecision::check_options(const std::vector<run::EngineSetup>& engines) const {
  ASSAY_TRY(model_.check_runnable());
  const bool in_tensorrt = !engines.empty() && takes_engines(engines);
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
                  "TensorRT chooses precisions while it builds, so there is no mixed model to save", word,
                  "Leave it out. `assay convert` builds an engine with the options that this command prints");
    }
  }
  if (!engines.empty() && !check_.has_command()) {
    for (const std::string& word :
         given_words(*app_, {"Artifact Sorting", "Iterative Debugging", "Pass/Fail Reporting"})) {
      if (!word.starts_with("--") || word.ends_with("-debug-replay")) continue;
      return fail(ErrorKind::invalid_input, "an engine judges without a file or a command", word,
                  "Leave it out, or judge with --check COMMAND instead of an engine");
    }
  }
  std::vector<OptionPath> read = {{"the model", model_.file()}};
  for (const std::string& path : loader_.load_paths()) read.push_back({"--load-inputs", path});
  ASSAY_TRY(check_paths({{"-o", save_.output()},
                         {"--iter-artifact", (in_tensorrt ? engine_artifact() : iterations_.iter_artifact()).string()},
                         {"--save-debug-replay", iterations_.save_replay().string()},
                         {"--iter-info", iterations_.info()}},
                        read));
  ASSAY_TRY(save_.save_options());
  return check_writable(save_.output(), "-o");
}

base::Expected<DebugPrecision::Subject> DebugPrecision::load(Context& context) const {
  Subject subject;
  ASSAY_ASSIGN(subject.model, model_.load_as_it_is());
  ASSAY_TRY(surgeon::inline_functions(subject.model));
  subject.nodes = surgeon::float16_nodes(subject.model);
  if (subject.nodes.empty()) {
    return fail(ErrorKind::invalid_input, "no node of the model can run in float16", model_.file(),
                "Give a model with float32 nodes");
  }
  ASSAY_ASSIGN(const surgeon::Float16Model converted, surgeon::convert_to_float16(subject.model));
  for (const auto& [name, changes] : converted.changed_weights) {
    if (changes.too_large > 0) subject.weights.insert(name);
  }
  context.log.info("{} of the model can run in float16", base::counted(subject.nodes.size(), "node"));
  return subject;
}

base::Expected<DebugPrecision::Judging> DebugPrecision::judge_in(const run::EngineSetup& engine, const Subject& subject,
                                                                 Context& context) {
  const auto rounds = run::rounds_to_float16(engine, context.pool, run::Rounding::by_casts);
  if (!rounds) return tl::make_unexpected(rounds.error());
  if (!*rounds) {
    return fail(ErrorKind::unsupported, "the engine drops the Casts that round values to float16", engine.engine,
                "Use another engine, e.g. --onnxrt, or judge the mixed model with --check COMMAND");
  }
  ASSAY_ASSIGN(run::RunPlan plan, judging_plan(model_, loader_, comparison_, context, float16_tolerances()));
  ASSAY_ASSIGN(const worker::ModelSource whole, run::unmarked_source(subject.model));
  ASSAY_ASSIGN(blame::OutputJudge made,
               blame::OutputJudge::make(engine, whole, {std::move(plan), context.pool, context.log, context.stop}));
  const auto judge = std::make_shared<const blame::OutputJudge>(std::move(made));
  Judging judging;
  judging.largest = measure(subject.model, engine, judge->first_inputs(), context);
  judging.judge = [judge, engine, &subject](const std::set<int>& keep) -> base::Expected<reduce::Verdict> {
    ASSAY_ASSIGN(blame::Judged judged, blame::judge_rounded(subject.model, keep, engine, *judge));
    return reduce::Verdict{
        .kind = judged.agrees ? Kind::passes : Kind::fails, .text = std::move(judged.text), .seconds = judged.seconds};
  };
  return judging;
}

base::Expected<std::map<std::string, double>> DebugPrecision::measure_first_inputs(const model::Model& model,
                                                                                   Context& context) const {
  const auto engine = measuring_engine(context.installation);
  if (!engine) return std::map<std::string, double>();
  ASSAY_ASSIGN(const auto shapes, model_.input_shapes());
  ASSAY_ASSIGN(const auto source, loader_.source(shapes, context.stop, context.log));
  ASSAY_ASSIGN(const auto inputs, source->iteration(0, model::input_specs(model)));
  return inputs ? measure(model, *engine, *inputs, context) : std::map<std::string, double>();
}

base::Expected<DebugPrecision::Judging> DebugPrecision::judge_artifact(const std::filesystem::path& artifact,
                                                                       MakeArtifact make, Context& context) {
  ASSAY_ASSIGN(reduce::FileJudge judge, judge_iteration(check_, context, "'" + artifact.string() + "'"));
  ASSAY_ASSIGN(std::shared_ptr<reduce::ScratchFiles> scratch, reduce::ScratchFiles::claim(artifact, context.log));
  ASSAY_TRY(scratch->add(artifact));
  if (iterations_.keeps_iter_artifact()) scratch->keep();
  Judging judging;
  judging.judge = [judge, scratch,
                   make = std::move(make)](const std::set<int>& keep) -> base::Expected<reduce::Verdict> {
    const base::Status made = make(keep);
    if (made) return judge();
    if (made.error().kind != ErrorKind::engine) return fail(made.error());
    return reduce::Verdict{.kind = Kind::fails, .text = made.error().message()};
  };
  return judging;
}

base::Expected<DebugPrecision::Judging> DebugPrecision::judge_by_check(const Subject& subject, Context& context) {
  const std::filesystem::path artifact = iterations_.iter_artifact();
  const auto save = [&subject, artifact](const std::set<int>& keep) {
    return blame::save_mixed(subject.model, keep, artifact, {.durability = base::Durability::process});
  };
  ASSAY_ASSIGN(Judging judging, judge_artifact(artifact, save, context));
  ASSAY_ASSIGN(judging.largest, measure_first_inputs(subject.model, context));
  return judging;
}

base::Expected<blame::PrecisionFindings> DebugPrecision::search(const Subject& subject, const Judging& judging,
                                                                Context& context) {
  ASSAY_ASSIGN(reduce::Iterations iterations,
               reduce::Iterations::make(iterations_.setup(), std::chrono::system_clock::now(), context.log));
  int number = 0;
  const auto test = [&](const std::vector<int>& kept) -> base::Expected<bool> {
    if (context.stop.requested()) return fail(ErrorKind::interrupted, "stopped");
    std::set<int> numbers;
    for (const int at : kept) numbers.insert(subject.nodes[static_cast<std::size_t>(at)].number);
    ASSAY_ASSIGN(const reduce::Verdict verdict,
                 iterations.run({.number = number++, .phase = {}}, static_cast<int>(kept.size()),
                                [&] { return judging.judge(numbers); }));
    context.log.info("{} in {}: {}: {} ({:.2f} s)", base::counted(kept.size(), subject.unit), precision_,
                     reduce::describe(verdict.kind), verdict.text, verdict.seconds);
    return verdict.kind == Kind::passes;
  };
  blame::PrecisionOptions options{.reverse = direction_ == "reverse"};
  if (mode_ == "bisect") options.mode = blame::PrecisionMode::bisect;
  if (mode_ == "linear") options.mode = blame::PrecisionMode::linear;
  return blame::find_precision(static_cast<int>(subject.nodes.size()),
                               blame::suspects(subject.nodes, judging.largest, subject.weights), options, test);
}

base::Expected<std::set<int>> DebugPrecision::report(const blame::PrecisionFindings& found, const Subject& subject,
                                                     const Judging& judging, Context& context) const {
  if (!found.passes) {
    return fail(ErrorKind::invalid_input,
                fmt::format("the model fails even if all {}s stay in {}", subject.unit, precision_), model_.file(),
                fmt::format("Find out first why it fails in {}, e.g. with debug reduce", precision_));
  }
  std::set<int> keep;
  std::vector<std::string> lines;
  for (const int at : found.kept) {
    const surgeon::Float16Node& node = subject.nodes[static_cast<std::size_t>(at)];
    keep.insert(node.number);
    lines.push_back("\n    " + describe(node, judging.largest));
  }
  const std::string runs = base::counted(static_cast<std::size_t>(found.runs), "run");
  if (keep.empty()) {
    context.log.info("No {} has to stay in {}, found in {}", subject.unit, precision_, runs);
  } else {
    context.log.info("{} of {} have to stay in {}, found in {}:{}", keep.size(),
                     base::counted(subject.nodes.size(), subject.unit), precision_, runs, base::join(lines, ""));
  }
  return keep;
}

base::Status DebugPrecision::save(const Subject& subject, const std::set<int>& keep, Context& context) const {
  if (save_.output().empty()) return {};
  ASSAY_ASSIGN(const model::SaveOptions options, save_.save_options());
  ASSAY_TRY(blame::save_mixed(subject.model, keep, save_.output(), options));
  context.log.info("Saved the mixed model to {}", save_.output());
  return {};
}

Words DebugPrecision::words_for(const LayerSubject& layers, const std::set<int>& keep) const {
  std::vector<std::string> names;
  for (const surgeon::Float16Node& layer : layers.subject.nodes) {
    if (keep.contains(layer.number)) names.push_back(layer.name);
  }
  return run::layer_precision_words(names, precision_);
}

std::filesystem::path DebugPrecision::engine_artifact() const {
  return app_->count("--iter-artifact") > 0 ? iterations_.iter_artifact() : "polygraphy_debug.engine";
}

base::Expected<DebugPrecision::LayerSubject> DebugPrecision::load_layers(run::EngineSetup engine,
                                                                         Context& context) const {
  ASSAY_TRY(run::check_lower_precision(engine, precision_));
  LayerSubject layers{.engine = std::move(engine), .model = {}, .subject = {}};
  ASSAY_ASSIGN(layers.model, model_.source());
  ASSAY_ASSIGN(const auto network, run::ask_network(layers.engine, layers.model, context.pool));
  layers.subject.unit = "layer";
  layers.subject.nodes = blame::layers_with_precision(network);
  if (layers.subject.nodes.empty()) {
    return fail(ErrorKind::invalid_input, "no layer of the network has a precision that can be chosen", model_.file(),
                "Give a model with float32 nodes");
  }
  context.log.info("{} of the network can run in a lower precision",
                   base::counted(layers.subject.nodes.size(), "layer"));
  return layers;
}

base::Expected<DebugPrecision::Judging> DebugPrecision::judge_layers(const LayerSubject& layers, Context& context) {
  const auto engine_for = [this, &layers](const std::set<int>& keep) {
    return run::with_layer_precisions(layers.engine, words_for(layers, keep));
  };
  Judging judging;
  if (check_.has_command()) {
    const std::filesystem::path artifact = engine_artifact();
    const auto build = [engine_for, artifact, &layers, &context](const std::set<int>& keep) -> base::Status {
      ASSAY_ASSIGN(const run::EngineSetup engine, engine_for(keep));
      return blame::build_engine(engine, layers.model, artifact, context.pool, context.log);
    };
    ASSAY_ASSIGN(judging, judge_artifact(artifact, build, context));
  } else {
    ASSAY_ASSIGN(run::RunPlan plan, judging_plan(model_, loader_, comparison_, context, float16_tolerances()));
    ASSAY_ASSIGN(blame::OutputJudge made,
                 blame::OutputJudge::make(run::in_float32(layers.engine), layers.model,
                                          {std::move(plan), context.pool, context.log, context.stop}));
    const auto judge = std::make_shared<const blame::OutputJudge>(std::move(made));
    judging.judge = [judge, engine_for, &layers](const std::set<int>& keep) -> base::Expected<reduce::Verdict> {
      ASSAY_ASSIGN(const run::EngineSetup engine, engine_for(keep));
      ASSAY_ASSIGN(blame::Judged judged, judge->judge(engine, layers.model));
      return reduce::Verdict{.kind = judged.agrees ? Kind::passes : Kind::fails,
                             .text = std::move(judged.text),
                             .seconds = judged.seconds};
    };
  }
  if (run::allows_float16(layers.engine)) {
    ASSAY_ASSIGN(const model::Model model, model_.load_as_it_is());
    ASSAY_ASSIGN(judging.largest, measure_first_inputs(model, context));
  }
  return judging;
}

base::Expected<int> DebugPrecision::run_layers(run::EngineSetup engine, Context& context) {
  ASSAY_ASSIGN(const LayerSubject layers, load_layers(std::move(engine), context));
  ASSAY_ASSIGN(const Judging judging, judge_layers(layers, context));
  ASSAY_ASSIGN(const blame::PrecisionFindings found, search(layers.subject, judging, context));
  ASSAY_ASSIGN(const std::set<int> keep, report(found, layers.subject, judging, context));
  if (keep.empty()) return kExitPassed;
  Words words = {"--layer-precisions"};
  std::ranges::move(words_for(layers, keep), std::back_inserter(words));
  const bool has_constraints = layers.engine.spec.options.contains("--precision-constraints");
  if (!has_constraints) words.insert(words.begin(), {"--precision-constraints", "obey"});
  context.log.info("To build the engine this way: {}", shell_text(words));
  return kExitPassed;
}

base::Expected<int> DebugPrecision::run(Context& context) {
  ASSAY_TRY(refused_.check());
  ASSAY_ASSIGN(std::vector<run::EngineSetup> engines, engines_.setups(context.installation));
  ASSAY_TRY(check_options(engines));
  if (!engines.empty() && takes_engines(engines)) {
    ASSAY_TRY(set_tensorrt_model(engines, model_, context.installation));
    ASSAY_TRY(set_loaded_shapes(engines, model_, loader_, context));
    return run_layers(std::move(engines.front()), context);
  }
  ASSAY_ASSIGN(const Subject subject, load(context));
  auto judging = engines.empty() ? judge_by_check(subject, context) : judge_in(engines.front(), subject, context);
  if (!judging) return tl::make_unexpected(std::move(judging).error());
  ASSAY_ASSIGN(const blame::PrecisionFindings found, search(subject, *judging, context));
  ASSAY_ASSIGN(const std::set<int> keep, report(found, subject, *judging, context));
  ASSAY_TRY(save(subject, keep, context));
  return kExitPassed;
}

std::unique_ptr<Command> make_debug_precision() {
  return std::make_unique<DebugPrecision>();
}

}  // namespace assay::cli
