#include "cli/commands/debug_reduce.h"

#include <chrono>
#include <filesystem>
#include <utility>

#include "backend/find_engines.h"
#include "base/abandoned_files.h"
#include "base/counted.h"
#include "base/files.h"
#include "base/strings.h"
#include "cli/check_paths.h"
#include "cli/commands/reduce_journal.h"
#include "cli/commands/reduce_minimal.h"
#include "cli/input_specs.h"
#include "cli/options/judge_iteration.h"
#include "data/input_source.h"
#include "model/copy_model.h"
#include "model/save.h"
#include "reduce/verdicts/count_nodes.h"
#include "reduce/judge/judge_files.h"
#include "reduce/values/value_store.h"

namespace assay::cli {
namespace {

constexpr int kListedNodes = 10;
constexpr double kReferenceSeconds = 300;  // for one run; an engine that hangs computes nothing

// Found out before the work, not after it.
base::Status check_writable(const std::string& path, const std::string& option) {
  if (path.empty()) return {};
  if (auto file = base::AtomicFile::create(path); !file) {
    base::Error error = file.error();
    error.fix += (error.fix.empty() ? "" : ". ") + ("The option that names the file is " + option);
    return base::fail(std::move(error));
  }
  base::remove_abandoned(path);
  return {};
}

// Engines that compute values, the best first. ONNX Runtime runs the model as it is written; the others make up for
// what it lacks.
std::vector<worker::EngineSpec> reference_engines(Context& context) {
  const backend::EngineSearch& search = context.installation.engines;
  std::vector<worker::EngineSpec> engines;
  for (const std::string_view kind : {"onnxruntime", "openvino"}) {
    const auto engine = backend::find_library(kind, search);
    if (!engine) {
      context.log.verbose("{} computes no values: {}", kind, engine.error().message());
      continue;
    }
    engines.push_back({.kind = engine->kind, .library = engine->library, .options = {}});
    if (kind == "onnxruntime") engines.back().options["graph_optimization_level"] = "ORT_DISABLE_ALL";
  }
  if (const auto python = backend::find_python({}, search)) {
    engines.push_back({.kind = "python", .library = *python, .options = {{"module", "reference"}}});
  }
  return engines;
}

}  // namespace

void DebugReduce::add_options(CLI::App& app) {
  ModelOptions::Parts parts;
  parts.model_type = false;
  parts.model_input_shapes = true;
  parts.inference = ModelOptions::Parts::Inference::opt_out;
  parts.fallback_inference = true;
  model_.add_to(app, parts);
  data_.add_to(app);
  save_.add_to(app, SaveOptions::Output::optional);
  check_.add_to(app);
  iterations_.add_to(app, {.iter_artifact = "polygraphy_debug.onnx", .until = false});
  slots_.add_to(app);
  minimal_.add_to(app);
  app_ = &app;
  app.add_option("--mode", mode_,
                 "minimal: to a model in which no node can go, in about as many checks as halving takes; bisect: halve "
                 "the model once from each end; linear: node by node from each end. With --no-reduce-inputs, "
                 "--no-reduce-outputs or the replay of a bisection the default is bisect")
      ->check(CLI::IsMember({"minimal", "bisect", "linear"}))
      ->capture_default_str();
  repro_.add_to(app);
  app.add_option("--memory-budget", memory_budget_,
                 "Memory for recorded values, which constants are frozen to; the others wait in files without names")
      ->capture_default_str()
      ->group("Iterative Debugging");
  app.add_option("--min-good,--minimal-good", min_good_,
                 "Also save a model of about the size of the result that passes, where there is one");
  CLI::Option* inputs = app.add_flag("--no-reduce-inputs", no_reduce_inputs_, "Move only the outputs up");
  app.add_flag("--no-reduce-outputs", no_reduce_outputs_, "Move only the inputs down")->excludes(inputs);
}

// What a run writes may take the place neither of what it reads nor of what else it writes.
base::Status DebugReduce::check_files() const {
  const std::string artifact = iterations_.iter_artifact().string();
  if (artifact.find('\n') != std::string::npos) {
    return base::fail(base::ErrorKind::invalid_input, "a file for candidates cannot have a name of several lines",
                      "--iter-artifact", "Give it another name");
  }
  const auto journal = minimal_.journal(save_.output());
  std::vector<OptionPath> read = {{"the model", model_.file()}};
  for (const std::string& path : data_.load_paths()) read.push_back({"--load-inputs", path});
  return check_paths({{"-o", save_.output()},
                      {"--min-good", min_good_},
                      {"--iter-artifact", artifact},
                      {"--journal", journal ? journal->string() : std::string()},
                      {"--save-debug-replay", iterations_.save_replay().string()},
                      {"--iter-info", iterations_.info()}},
                     read);
}

base::Status DebugReduce::check_options() const {
  ASSAY_TRY(check_files());
  if (save_.output().empty() && min_good_.empty()) {
    return base::fail(base::ErrorKind::invalid_input, "there is nowhere to put the result", "-o, --min-good",
                      "Give -o FILE for the model that fails, --min-good FILE for one that passes, or both");
  }
  ASSAY_TRY(save_.save_options());
  ASSAY_TRY(repro_.check());
  ASSAY_TRY(check_writable(save_.output(), "-o"));
  ASSAY_TRY(check_writable(min_good_, "--min-good"));
  ASSAY_TRY(check_writable(iterations_.iter_artifact().string(), "--iter-artifact"));
  ASSAY_TRY(check_writable(iterations_.info(), "--iter-info"));
  return check_writable(iterations_.save_replay().string(), "--save-debug-replay");
}

base::Expected<std::string> DebugReduce::mode(base::Log& log) const {
  const bool chosen = app_->count("--mode") > 0;
  const bool one_way = no_reduce_inputs_ || no_reduce_outputs_;
  std::string mode = mode_;
  if (!chosen && one_way) mode = "bisect";
  if (const auto path = iterations_.iteration_options().load_replay; !chosen && path) {
    ASSAY_ASSIGN(const reduce::Replay replay, reduce::Replay::load(*path));
    if (replay.find({.number = 0, .phase = "outputs"}) != nullptr) {
      log.info("The replay file is of a bisection: so is this run (--mode bisect)");
      mode = "bisect";
    }
  }
  if (mode == "minimal" && one_way) {
    return base::fail(base::ErrorKind::invalid_input, "minimal mode takes nodes out from everywhere",
                      no_reduce_inputs_ ? "--no-reduce-inputs" : "--no-reduce-outputs",
                      "Leave it out, or use --mode bisect or linear");
  }
  if (mode != "minimal") {
    std::vector<std::string> given = minimal_.given();
    for (const char* name : {"--jobs", "--iter-weights"}) {
      if (app_->count(name) > 0) given.emplace_back(name);
    }
    if (!given.empty()) {
      return base::fail(base::ErrorKind::invalid_input, "only minimal mode knows this option", base::join(given, ", "),
                        "Leave it out, or use --mode minimal");
    }
  }
  return mode;
}

reduce::ReduceOptions DebugReduce::reduce_options(const std::string& mode) const {
  return {.mode = mode == "linear" ? reduce::Mode::linear : reduce::Mode::bisect,
          .outputs = !no_reduce_outputs_,
          .inputs = !no_reduce_inputs_,
          .infer_shapes = model_.wants_inference(),
          .see_all_shapes = model_.force_fallback_inference(),
          .side_values = data_.custom() ? reduce::SideValues::freeze : reduce::SideValues::automatic};
}

base::Expected<int> DebugReduce::run(Context& context) {
  if (minimal_.lists_passes()) {
    context.out << MinimalOptions::pass_list();
    return kExitPassed;
  }
  ASSAY_TRY(check_options());
  ASSAY_ASSIGN(memory_budget_bytes_, base::parse_size(memory_budget_));
  ASSAY_ASSIGN(const std::string mode, this->mode(context.log));
  ASSAY_ASSIGN(const model::Model model, model_.load_as_it_is());
  if (const std::string constants = reduce::describe_constants(model); !constants.empty()) {
    context.log.info("The model has {}. {}.", base::counted(reduce::count_all_nodes(model), "node"), constants);
  }
  ASSAY_TRY(model_.input_shapes());
  if (data_.custom()) {
    ASSAY_ASSIGN(given_values_, input_values(model, context));
  }
  if (!data_.custom()) missing_->set_open_inputs(reduce::open_inputs(model.graph(), asked_shapes()));
  return mode == "minimal" ? run_minimal(context, model) : run_search(context, model, mode);
}

namespace {

reduce::FixedInputs to_fixed_inputs(const std::map<std::string, Dimensions>& shapes) {
  reduce::FixedInputs fixed;
  for (const auto& [name, dimensions] : shapes) {
    tensor::Shape& shape = fixed[name];
    for (const model::Dimension& dimension : dimensions) shape.push_back(dimension.value);
  }
  return fixed;
}

}  // namespace

base::Expected<int> DebugReduce::run_minimal(Context& context, const model::Model& model) {
  ASSAY_ASSIGN(const auto shapes, model_.input_shapes());
  const ReduceMinimalOptions options{.check = check_,
                                     .iterations = iterations_,
                                     .slots = slots_,
                                     .minimal = minimal_,
                                     .output = save_.output(),
                                     .infer_shapes = model_.wants_inference(),
                                     .see_all_shapes = model_.force_fallback_inference(),
                                     .values = given_values_,
                                     .fixed_inputs = to_fixed_inputs(shapes),
                                     .reference = [&](const edit::Subject& subject, const edit::TensorFacts& facts) {
                                       return make_reference(context, subject, facts);
                                     }};
  ASSAY_ASSIGN(const ReducedMinimal reduced, reduce_minimal(model, options, context));
  const reduce::MinimalReduction& reduction = reduced.reduction;
  ASSAY_TRY(
      save({.failing = *reduction.model, .passing = reduction.passing.get(), .verbatim = reduction.verbatim}, context));
  save_others(reduced.others, save_.output(), context.log);
  report_minimal(reduction, context);
  if (const auto message = missing_->message()) context.log.warning("{}", *message);
  if (reduction.error) return base::fail(*reduction.error);
  if (repro_.given()) {
    ReproOptions::Failing failing = failing_model({.failing = *reduction.model,
                                                   .verbatim = reduction.verbatim,
                                                   .nodes_before = reduction.nodes_before,
                                                   .nodes_after = reduction.nodes_after});
    for (const reduce::Verdict& verdict : reduction.confirmation) {
      if (verdict.kind == reduce::Verdict::Kind::fails) failing.verdict = verdict;
    }
    ASSAY_TRY(repro_.save(failing, context));
  }
  // Only now: a command that has to be repeated for one of the errors above repeats no checks.
  if (!context.stop.requested()) remove_journal(options, context);
  if (context.stop.requested()) {
    return base::fail(base::ErrorKind::interrupted, "stopped; the result is the best up to here", save_.output(),
                      "The same command resumes");
  }
  return kExitPassed;
}

base::Expected<int> DebugReduce::run_search(Context& context, const model::Model& model, const std::string& mode) {
  ASSAY_ASSIGN(reduce::CandidateFile file, reduce::CandidateFile::make(model, {.artifact = iterations_.iter_artifact()},
                                                                       context.stop, context.log));
  if (iterations_.keeps_iter_artifact()) file.keep();
  if (iterations_.sorts_iter_artifact()) file.leave();
  ASSAY_ASSIGN(const reduce::Reduction reduction, reduce(context, model, file, mode));
  ASSAY_TRY(save({.failing = reduction.model,
                  .passing = reduction.passing ? &*reduction.passing : nullptr,
                  .verbatim = reduction.verbatim},
                 context));
  report(reduction, mode, context);
  if (const auto message = missing_->message()) context.log.warning("{}", *message);
  if (reduction.error) return base::fail(*reduction.error);
  if (repro_.given() && reduction.complete) ASSAY_TRY(write_repro(reduction, context, file));
  if (!reduction.complete) {
    return base::fail(base::ErrorKind::interrupted, "stopped; the result is the best up to here");
  }
  return kExitPassed;
}

base::Expected<reduce::Reduction> DebugReduce::reduce(Context& context, const model::Model& model,
                                                      reduce::CandidateFile& file, const std::string& mode) {
  ASSAY_ASSIGN(const reduce::FileJudge judge,
               judge_iteration(check_, context, "'" + file.path().string() + "'", {file.path(), model_.file()}));
  ASSAY_ASSIGN(reduce::Iterations iterations, reduce::Iterations::make(iterations_.iteration_options(),
                                                                       std::chrono::system_clock::now(), context.log));
  const reduce::Oracle oracle = reduce::judge_files(file, iterations, judge);
  return reduce::reduce_model(model, reduce_options(mode),
                              {.oracle = oracle,
                               .log = context.log,
                               .stop = context.stop,
                               .reference = [&](const edit::Subject& subject, const edit::TensorFacts& facts) {
                                 return make_reference(context, subject, facts);
                               }});
}

base::Expected<tensor::NamedTensors> DebugReduce::input_values(const model::Model& model, Context& context,
                                                               const reduce::InputShapes& chosen) const {
  ASSAY_ASSIGN(auto shapes, model_.input_shapes());
  for (const auto& [name, sizes] : chosen) {
    Dimensions& shape = shapes[name];
    shape.clear();
    for (const std::int64_t size : sizes) shape.push_back({.value = size, .symbol = {}});
  }
  ASSAY_ASSIGN(const auto source, data_.source(shapes, context.stop, context.log));
  ASSAY_ASSIGN(auto values, source->iteration(0, input_specs(model)));
  if (!values) return tensor::NamedTensors{};
  reduce::ValueStore store(iterations_.iter_artifact().parent_path(), memory_budget_bytes_);
  ASSAY_TRY(store.set(*values));
  return store.all();
}

reduce::InputShapes DebugReduce::asked_shapes() const {
  reduce::InputShapes asked;
  for (const auto& [name, shape] : model_.input_shapes().value_or(std::map<std::string, Dimensions>())) {
    for (const model::Dimension& size : shape) asked[name].push_back(size.value);
  }
  return asked;
}

std::unique_ptr<reduce::Reference> DebugReduce::make_reference(Context& context, const edit::Subject& subject,
                                                               const edit::TensorFacts& facts) const {
  reduce::EngineReference::Options options;
  options.engines = reference_engines(context);
  options.limits.time_s = kReferenceSeconds;
  options.memory_budget = memory_budget_bytes_;
  options.folder = iterations_.iter_artifact().parent_path();
  options.fixed_inputs = data_.custom();
  options.missing = missing_;
  options.log = &context.log;
  options.input_shapes = asked_shapes();
  options.given = [this, &context, &subject](const reduce::InputShapes& chosen) {
    return data_.custom() ? given_values_ : input_values(subject.model(), context, chosen);
  };
  return std::make_unique<reduce::EngineReference>(subject, facts, context.pool, std::move(options));
}

base::Status DebugReduce::save(const Result& result, Context& context) const {
  if (!save_.output().empty() && result.verbatim) {
    ASSAY_TRY(model::copy_model(result.failing, save_.output()));
    context.log.info("Copied the model to {}", save_.output());
  } else if (!save_.output().empty()) {
    ASSAY_TRY(save_.save(result.failing, context.log));
  }
  if (min_good_.empty()) return {};
  if (result.passing == nullptr) {
    context.log.warning("No candidate passed, so there is nothing to save to {}", min_good_);
    return {};
  }
  ASSAY_ASSIGN(model::SaveOptions options, save_.save_options());
  if (options.external_data_path) options.external_data_path = "";  // the name that was given is the result's
  options.all_tensors_to_one_file = true;
  ASSAY_TRY(model::save(*result.passing, min_good_, options));
  context.log.info("Saved a model of {} that passes to {}",
                   base::counted(reduce::count_all_nodes(*result.passing), "node"), min_good_);
  return {};
}

ReproOptions::Failing DebugReduce::failing_model(const Result& result) const {
  ReproOptions::Failing failing{.model = result.failing, .check = check_.command()};
  if (result.verbatim) failing.verbatim = model_.file();
  failing.summary = fmt::format("{} of {} nodes of {} are left, found by `assay debug reduce`.", result.nodes_after,
                                result.nodes_before, std::filesystem::path(model_.file()).filename().string());
  return failing;
}

// The result is judged once more, so that what the check says in the folder is what it says of this model.
base::Status DebugReduce::write_repro(const reduce::Reduction& reduction, Context& context,
                                      reduce::CandidateFile& file) const {
  ReproOptions::Failing failing = failing_model({.failing = reduction.model,
                                                 .verbatim = reduction.verbatim,
                                                 .nodes_before = reduction.nodes_before,
                                                 .nodes_after = reduction.nodes_after});
  ASSAY_ASSIGN(const reduce::FileJudge judge,
               judge_iteration(check_, context, "'" + file.path().string() + "'", {file.path(), model_.file()}));
  ASSAY_TRY(file.write({.model = reduction.model, .iteration = {}, .verbatim = failing.verbatim}));
  ASSAY_ASSIGN(failing.verdict, judge());
  file.remove();
  if (failing.verdict.kind != reduce::Verdict::Kind::fails) {
    context.log.warning("Judged once more for --repro, the model does not fail: {}", failing.verdict.text);
  }
  return repro_.save(failing, context);
}

void DebugReduce::report(const reduce::Reduction& reduction, const std::string& mode, Context& context) const {
  const reduce::TrialCounts& counts = reduction.counts;
  std::string text = fmt::format("{} of {} nodes {}", reduction.nodes_after, reduction.nodes_before,
                                 reduction.nodes_after == 1 ? "is left, and still fails" : "are left, and still fail");
  const onnx::GraphProto& graph = reduction.model.graph();
  for (int i = 0; i < graph.node_size() && graph.node_size() <= kListedNodes; ++i) {
    text += "\n    " + model::describe_node(graph.node(i), i);
  }
  context.log.info("{}", text);
  context.log.info("{} checks ({} failed) took {:.2f} s, all else {:.2f} s", counts.checks, counts.failing,
                   counts.check_seconds, reduction.seconds - counts.check_seconds);
  report_earlier(counts, context.log);
  const bool much_left = reduction.nodes_after > 1 && reduction.nodes_after * 4 > reduction.nodes_before;
  if (much_left && mode == "bisect") {
    context.log.warning("Much of the model is left. Reducing {} with --mode=minimal may take more away.",
                        save_.output().empty() ? "it" : save_.output());
  }
}

}  // namespace assay::cli
