// `assay debug precision`: finds the nodes that have to stay in float32 when the others run in float16.
//
// Two ways to judge a candidate: the engine runs the model with rounded values, which are compared with those of
// float32; or a check command judges the mixed model in a file. In both, one run of the engine shows beforehand which
// values exceed float16's range.
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
#include "blame/find_precision.h"
#include "blame/mixed_precision.h"
#include "blame/output_judge.h"
#include "blame/value_ranges.h"
#include "cli/check_paths.h"
#include "cli/command_with_check.h"
#include "cli/commands/make_commands.h"
#include "cli/judging_plan.h"
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
    model::Model model;
    std::vector<surgeon::Float16Node> nodes;
    std::set<std::string> weights;  // beyond float16's range
  };

  [[nodiscard]] base::Status check_options(const std::vector<run::EngineSetup>& engines) const;
  [[nodiscard]] base::Expected<Subject> load(Context& context) const;
  base::Expected<Judging> judge_in(const run::EngineSetup& engine, const Subject& subject, Context& context);
  base::Expected<Judging> judge_by_check(const Subject& subject, Context& context);
  base::Expected<blame::PrecisionFindings> search(const Subject& subject, const Judging& judging, Context& context);
  base::Expected<int> report(const blame::PrecisionFindings& found, const Subject& subject, const Judging& judging,
                             Context& context) const;

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
  std::string text = fmt::format("{} '{}' (node #{})", node.op_type, node.name, node.number);
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
  app.add_option("-p,--precision", precision_, "The precision of the nodes that are kept; only float32 is supported")
      ->check(CLI::IsMember({"float32", "float16"}))
      ->capture_default_str()
      ->group(kGroup);
  engines_.add_to(app);
  check_.add_to(app);
  iterations_.add_to(app, {.iter_artifact = "polygraphy_debug.onnx", .until = false});
  loader_.add_to(app);
  comparison_.add_to(app);
  save_.add_to(app, ModelSaveOptions::Output::optional);
  refused_.add_engines_to(app);
}

base::Status DebugPrecision::check_options(const std::vector<run::EngineSetup>& engines) const {
  ASSAY_TRY(model_.check_runnable());
  if (precision_ != "float32") {
    return fail(ErrorKind::unsupported, "the other nodes would have to run in int8, which needs TensorRT",
                "--precision", "Leave it out: nodes are kept in float32, and the others run in float16");
  }
  if (engines.size() > 1 || (!engines.empty() && check_.has_command())) {
    return fail(ErrorKind::invalid_input, "only one engine or one check can judge", {},
                "Give one engine, e.g. --onnxrt, or --check COMMAND");
  }
  if (!engines.empty()) {
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
                         {"--iter-artifact", iterations_.iter_artifact().string()},
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
  ASSAY_ASSIGN(subject.nodes, surgeon::float16_nodes(subject.model));
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

base::Expected<DebugPrecision::Judging> DebugPrecision::judge_by_check(const Subject& subject, Context& context) {
  const std::filesystem::path artifact = iterations_.iter_artifact();
  ASSAY_ASSIGN(reduce::FileJudge judge, judge_iteration(check_, context, "'" + artifact.string() + "'"));
  ASSAY_ASSIGN(std::shared_ptr<reduce::ScratchFiles> scratch, reduce::ScratchFiles::claim(artifact, context.log));
  ASSAY_TRY(scratch->add(artifact));
  if (iterations_.keeps_iter_artifact()) scratch->keep();
  Judging judging;
  if (const auto engine = measuring_engine(context.installation)) {
    ASSAY_ASSIGN(const auto shapes, model_.input_shapes());
    ASSAY_ASSIGN(const auto source, loader_.source(shapes, context.stop, context.log));
    ASSAY_ASSIGN(const auto inputs, source->iteration(0, model::input_specs(subject.model)));
    if (inputs) judging.largest = measure(subject.model, *engine, *inputs, context);
  }
  judging.judge = [judge, scratch, artifact, &subject](const std::set<int>& keep) -> base::Expected<reduce::Verdict> {
    ASSAY_TRY(blame::save_mixed(subject.model, keep, artifact, {.durability = base::Durability::process}));
    return judge();
  };
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
    context.log.info("{} in float32: {}: {} ({:.2f} s)", base::counted(kept.size(), "node"),
                     reduce::describe(verdict.kind), verdict.text, verdict.seconds);
    return verdict.kind == Kind::passes;
  };
  blame::PrecisionOptions options{.reverse = direction_ == "reverse"};
  if (mode_ == "bisect") options.mode = blame::PrecisionMode::bisect;
  if (mode_ == "linear") options.mode = blame::PrecisionMode::linear;
  return blame::find_precision(static_cast<int>(subject.nodes.size()),
                               blame::suspects(subject.nodes, judging.largest, subject.weights), options, test);
}

base::Expected<int> DebugPrecision::report(const blame::PrecisionFindings& found, const Subject& subject,
                                           const Judging& judging, Context& context) const {
  if (!found.passes) {
    return fail(ErrorKind::invalid_input, "the model fails even if all nodes stay in float32", model_.file(),
                "Find out first why it fails in float32, e.g. with debug reduce");
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
    context.log.info("No node has to stay in float32, found in {}", runs);
  } else {
    context.log.info("{} of {} have to stay in float32, found in {}:{}", keep.size(),
                     base::counted(subject.nodes.size(), "node"), runs, base::join(lines, ""));
  }
  if (save_.output().empty()) return kExitPassed;
  ASSAY_ASSIGN(const model::SaveOptions options, save_.save_options());
  ASSAY_TRY(blame::save_mixed(subject.model, keep, save_.output(), options));
  context.log.info("Saved the mixed model to {}", save_.output());
  return kExitPassed;
}

base::Expected<int> DebugPrecision::run(Context& context) {
  ASSAY_TRY(refused_.check());
  ASSAY_ASSIGN(const std::vector<run::EngineSetup> engines, engines_.setups(context.installation));
  ASSAY_TRY(check_options(engines));
  ASSAY_ASSIGN(const Subject subject, load(context));
  auto judging = engines.empty() ? judge_by_check(subject, context) : judge_in(engines.front(), subject, context);
  if (!judging) return tl::make_unexpected(std::move(judging).error());
  ASSAY_ASSIGN(const blame::PrecisionFindings found, search(subject, *judging, context));
  return report(found, subject, *judging, context);
}

std::unique_ptr<Command> make_debug_precision() {
  return std::make_unique<DebugPrecision>();
}

}  // namespace assay::cli
