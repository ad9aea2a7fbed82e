// assay.reduce: fills the options of reduce_model() and returns what it found. python/assay/reduction.py documents it.
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/strings.h"
#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "bindings/gil.h"
#include "bindings/installation.h"
#include "bindings/interruptible.h"
#include "bindings/model.h"
#include "bindings/own_command.h"
#include "bindings/python_check.h"
#include "bindings/reduction_journal.h"
#include "bindings/report.h"
#include "bindings/text.h"
#include "cli/checks/sees_candidates.h"
#include "cli/commands/debug/reduce/reduction_task.h"
#include "cli/commands/debug/reduce/search.h"
#include "cli/commands/debug/reduce/tensor_values.h"
#include "cli/context/command.h"
#include "data/fit_inputs.h"
#include "model/shapes_by_input.h"
#include "pages/reduction_page.h"
#include "reduce/choice_words.h"
#include "reduce/choose_passes.h"
#include "reduce/judge/check_command.h"
#include "reduce/judge/command_for.h"
#include "reduce/judge/failure_filter.h"
#include "reduce/judge/slot_judges.h"
#include "reduce/reduce_model.h"
#include "reduce/reduction_json.h"
#include "tensor/generate.h"

namespace assay::python {
namespace {

namespace fs = std::filesystem;
namespace nb = nanobind;
using base::ErrorKind;

// The arguments of assay.reduce, with their names.
struct Arguments {
  nb::dict given;

  template <class T>
  [[nodiscard]] T get(const char* name) const {
    return nb::cast<T>(given[name]);
  }
  // Returns what the word stands for.
  template <class T, std::size_t n>
  [[nodiscard]] T choice(const char* name, const std::array<reduce::Choice<T>, n>& choices) const {
    const auto word = get<std::string>(name);
    if (const auto value = reduce::find_choice(choices, word)) return *value;
    raise(
        {ErrorKind::invalid_input,
         fmt::format("{} must be one of '{}', but is '{}'", name, base::join(reduce::words_of(choices), "', '"), word),
         {},
         {}});
  }
};

reduce::ReduceOptions reduce_options(const Arguments& arguments) {
  reduce::ReduceOptions options;
  options.mode = arguments.choice("mode", reduce::kModes);
  options.infer_shapes = arguments.get<bool>("shape_inference");
  options.limits.until_nodes = arguments.get<std::optional<int>>("until_nodes");
  options.limits.max_checks = arguments.get<std::optional<int>>("max_checks");
  options.rule = {.repeat = arguments.get<int>("repeat"), .fail_ratio = arguments.get<double>("fail_ratio")};
  unwrap(reduce::choose_passes({.only = arguments.get<std::vector<std::string>>("passes"),
                                .skip = arguments.get<std::vector<std::string>>("skip_passes"),
                                .thorough = arguments.get<bool>("thorough")},
                               options));
  return options;
}

reduce::SameFailure same_failure(const Arguments& arguments, reduce::Mode mode) {
  if (arguments.given["same_failure"].is_none()) return reduce::usual_same_failure(mode);
  return arguments.choice("same_failure", reduce::kSameFailures);
}

// Returns nothing if the caller leaves it to the check and to what else is given.
std::optional<reduce::CutValues> cut_values(const Arguments& arguments) {
  if (arguments.given["values"].is_none()) return std::nullopt;
  return arguments.choice("values", reduce::kCutValues);
}

reduce::CheckSetup check_options(const Arguments& arguments, const model::Model& model) {
  reduce::CheckSetup options;
  options.command = arguments.get<std::vector<std::string>>("command");
  options.artifact = arguments.get<fs::path>("artifact");
  options.whole = model.path;
  options.limits.time_s = arguments.get<std::optional<double>>("check_timeout");
  options.limits.memory_bytes = arguments.get<std::optional<std::uint64_t>>("check_memory");
  options.rules.fail_codes = arguments.get<std::vector<int>>("fail_codes");
  options.rules.ignore_fail_codes = arguments.get<std::vector<int>>("ignore_fail_codes");
  options.rules.unresolved_codes = arguments.get<std::vector<int>>("unresolved_codes");
  options.rules.patterns = arguments.get<std::vector<std::string>>("fail_regex");
  options.rules.unresolved_patterns = arguments.get<std::vector<std::string>>("unresolved_regex");
  return options;
}

// Judges candidates with a function, or with a command if that is null.
struct Check {
  cli::Installation installation;  // of the command line
  std::shared_ptr<PythonCheck> function{};
  reduce::CheckSetup command{};
  reduce::SlotSetup slots{};

  // `is_first`: see CheckSetup::is_first. The result must outlive neither this object nor the context.
  [[nodiscard]] base::Expected<std::unique_ptr<reduce::SlotJudges>> judges(const model::Model& model,
                                                                           std::function<bool()> is_first,
                                                                           cli::Context& context) const {
    if (function) {
      auto judge = [check = function](const auto& path, const base::Stop& end) { return check->judge(path, end); };
      return reduce::SlotJudges::make(slots, model, std::move(judge), context.stop, context.log);
    }
    reduce::CheckSetup setup = command;
    setup.is_first = std::move(is_first);
    return cli::judges_by_command(std::move(setup), slots, model, context);
  }
};

Check make_check(const Arguments& arguments, const model::Model& model, Interruptible& call) {
  Check check{.installation = own_installation()};
  check.slots = {.artifact = arguments.get<fs::path>("artifact"), .slots = arguments.get<int>("jobs")};
  if (!arguments.given["function"].is_none()) {
    check.function = std::make_shared<PythonCheck>(nb::object(arguments.given["function"]), call.own_stop());
    return check;
  }
  check.command = check_options(arguments, model);
  unwrap(cli::verify_sees_candidates(check.command, check.installation, call.log()));
  if (check.slots.slots == 1) return check;
  if (const auto why =
          reduce::why_alone(check.command.command, check.command.artifact, check.installation.engines.path)) {
    call.log().warning("jobs={} is ignored, and one check runs at a time: {}", check.slots.slots, *why);
    check.slots.slots = 1;
  }
  return check;
}

// Returns the inputs that the caller has given, as the model takes them.
std::optional<tensor::NamedTensors> given_inputs(const Arguments& arguments, const model::Model& model,
                                                 base::Log& log) {
  const auto given = arguments.get<std::optional<nb::dict>>("inputs");
  if (!given) return std::nullopt;
  return unwrap(data::fit_inputs(to_tensors(*given), reduce::tensor_inputs(model), log));
}

// Says which values tensors have: the given inputs, or generated ones.
cli::UserValues user_values(const std::optional<tensor::NamedTensors>& given) {
  if (given) {
    const auto values = [given = *given](const auto&, const auto&, auto&) {
      return base::Expected<tensor::NamedTensors>(given);
    };
    return {.given = "inputs", .are_loaded = true, .values = values};
  }
  return {
      .values = [](const std::vector<tensor::TensorSpec>& inputs, const reduce::InputShapes& shapes, base::Log& log) {
        tensor::GenerateOptions options;
        options.shapes = {shapes.begin(), shapes.end()};
        return tensor::generate_inputs(inputs, options, 0, log);
      }};
}

// Calls a Python function with the state of the reduction. If it raises an exception, Python prints the exception, and
// the reduction continues.
reduce::ShowProgress show_progress(const nb::object& function) {
  if (function.is_none()) return {};
  return [function = function.ptr()](const reduce::Progress& progress) {
    const GilAcquire acquire;
    try {
      call_python(nb::borrow(function),
                  nb::make_tuple(std::string(progress.pass), progress.nodes_left, progress.checks));
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("assay.reduce: progress");
    }
  };
}

struct Outcome {
  reduce::Reduction reduction;
  std::vector<reduce::OtherFailure> others;
  pages::ReductionHistory history;
  std::vector<run::EngineSetup> engines;  // that the check runs, if its command tells
};

// The inputs of a reduction besides the model.
struct Plan {
  reduce::ReduceOptions options;
  std::optional<reduce::CutValues> values;
  reduce::SameFailure same;
  Check check;
  JournalPlan journal;
  std::optional<double> time_limit_s;
  fs::path output;  // the file that the result will be saved to; may be empty
  cli::UserValues user;
  reduce::ShowProgress progress;
};

// Reads what the check's command tells, and may add words to it.
base::Expected<cli::ReductionTask> make_task(const NativeModel& model, Plan& plan, cli::Context& context) {
  reduce::CheckSetup& command = plan.check.command;
  cli::ReductionTask task{.mode = plan.options.mode,
                          .check = cli::facts_of_check(command.command, command.limits, context),
                          .asked_shapes = plan.options.fixed_inputs,
                          .values_folder = plan.check.slots.artifact.parent_path(),
                          .model = model.model};
  for (const std::string& word : cli::words_for_candidates(task.check.engines, context.log)) {
    command.command.push_back(word);
  }
  ASSAY_TRY(cli::take_values(task, *model.model, plan.user, context.log));
  return task;
}

base::Expected<Outcome> run_reduction(const NativeModel& model, Plan& plan, Interruptible& call) {
  // Not the pool of other calls: workers keep the environment in which they were started, and the program may have
  // changed its own.
  worker::Pool pool({.worker_dir = plan.check.installation.libexec}, call.stop());
  std::ostringstream out;
  cli::Context context{
      .log = call.log(), .out = out, .stop = call.stop(), .pool = pool, .installation = plan.check.installation};
  // A mistake in the path must not show after hours.
  ASSAY_TRY(keeps_files(model, plan.output));
  if (!plan.output.empty()) ASSAY_TRY(base::AtomicFile::create(plan.output).map([](const auto&) {}));
  ASSAY_ASSIGN(cli::ReductionTask task, make_task(model, plan, context));
  plan.options.values = plan.values.value_or(task.usual_values);
  ASSAY_ASSIGN(std::optional<reduce::JournalFile> journal,
               journal_file(plan.journal, *model.model, plan.check.command, plan.check.installation.engines));
  reduce::FailureFilter filter(plan.same, call.log(), cli::limits_of_saved_outputs(task));
  pages::ReductionHistory history;
  const auto show_progress = [&](const reduce::Progress& progress) {
    if (plan.progress) plan.progress(progress);
    history.add(progress);
  };
  auto reduction = cli::run(
      {.task = task,
       .options = plan.options,
       .filter = filter,
       .judges = [&](std::function<bool()> is_first,
                     cli::Context& limited) { return plan.check.judges(*model.model, std::move(is_first), limited); },
       .reference = [&](cli::Context& limited) { return cli::computed_values(task, plan.user, limited); },
       .journal = std::move(journal),
       .time_limit_s = plan.time_limit_s,
       .show_progress = show_progress},
      context);
  if (!reduction) {
    base::Error error = std::move(reduction).error();
    if (plan.journal.is_copy && error.where == model.model->path) error.where.clear();  // users can't open that file
    return base::fail(std::move(error));
  }
  if (const auto missing = task.missing->message(); missing && reduction->nodes_after > 1) {
    call.log().warning("{}", *missing);
  }
  if (const auto drift = filter.describe_drift(reduction->failure)) call.log().warning("{}", *drift);
  return Outcome{.reduction = *std::move(reduction),
                 .others = filter.others(),
                 .history = std::move(history),
                 .engines = std::move(task.check.engines)};
}

nb::list others_of(const std::vector<reduce::OtherFailure>& others) {
  nb::list list;
  for (const reduce::OtherFailure& other : others) {
    nb::dict item;
    item["description"] = to_text(reduce::describe(other.signature));
    item["headline"] = to_text(other.signature.headline);
    item["times"] = other.times;
    item["nodes"] = other.nodes;
    item["model"] = NativeModel(other.model);
    list.append(item);
  }
  return list;
}

nb::list passes_of(const reduce::Reduction& reduction) {
  nb::list list;
  for (const reduce::PassCounts& pass : reduction.passes) {
    nb::dict item;
    item["name"] = std::string(pass.pass);
    item["checks"] = pass.checks;
    item["failing"] = pass.failing;
    item["nodes_removed"] = pass.nodes_removed;
    list.append(item);
  }
  return list;
}

NativeReport report_of(std::shared_ptr<const Outcome> outcome, const Plan& plan, bool stopped) {
  std::vector<std::string> commands;
  if (!plan.check.function && !plan.output.empty()) {
    commands = cli::commands_on_result(plan.check.command.command, plan.check.slots.artifact, plan.output,
                                       plan.check.installation);
  }
  std::vector<run::EngineSetup> engines = outcome->engines;
  return NativeReport(
      [outcome = std::move(outcome), file = plan.output, commands = std::move(commands), stopped] {
        return pages::reduction_page({.reduction = outcome->reduction,
                                      .history = outcome->history,
                                      .others = outcome->others,
                                      .file = file.string(),
                                      .commands = commands,
                                      .stopped = stopped});
      },
      std::move(engines));
}

// The fields of assay.Reduction.
nb::dict to_dict(const Outcome& outcome) {
  const reduce::Reduction& reduction = outcome.reduction;
  nb::dict result;
  result["model"] = NativeModel(reduction.model);
  result["passing"] = reduction.passing ? nb::cast(NativeModel(reduction.passing)) : nb::none();
  result["verbatim"] = reduction.verbatim;
  result["failure"] = to_text(reduce::describe(reduction.failure));
  result["headline"] = to_text(reduction.failure.headline);
  result["output"] = to_text(reduction.verdict.output);
  result["nodes_before"] = reduction.nodes_before;
  result["nodes_after"] = reduction.nodes_after;
  result["end"] = std::string(reduce::word_for(reduction.stop_reason));
  result["untried"] = to_texts(reduction.untried);
  result["empty_fails"] = reduction.empty_fails;
  result["is_minimal"] = reduce::is_minimal(reduction);
  result["uncalled_functions"] = to_texts(reduction.uncalled_functions);
  result["passes"] = passes_of(reduction);
  result["others"] = others_of(outcome.others);
  result["confirmations"] = reduction.confirmation.size();
  result["confirmed"] =
      std::ranges::count(reduction.confirmation, reduce::Verdict::Kind::fails, &reduce::Verdict::kind);
  result["error"] = reduction.error ? nb::object(to_text(reduction.error->message())) : nb::none();
  result["checks"] = reduction.counts.checks;
  result["failing"] = reduction.counts.failing;
  result["unresolved"] = reduction.counts.unresolved;
  result["reused"] = reduction.counts.replayed;
  result["seconds"] = reduction.seconds;
  result["check_seconds"] = reduction.counts.check_seconds;
  return result;
}

JournalPlan journal_plan(const Arguments& arguments) {
  return {.path = arguments.get<fs::path>("journal"),
          .is_kept = arguments.get<bool>("keep_journal"),
          .check_id = arguments.get<std::string>("check_id"),
          .is_copy = arguments.get<bool>("is_copy")};
}

nb::dict reduce_model(const NativeModel& model, const nb::dict& given) {
  const Arguments arguments{given};
  Interruptible call;
  reduce::ReduceOptions options = reduce_options(arguments);
  const reduce::SameFailure same = same_failure(arguments, options.mode);
  const auto shapes = unwrap(
      model::shapes_by_input(*model.model, arguments.get<reduce::InputShapes>("input_shapes"), "--model-input-shapes"));
  for (const auto& [name, shape] : shapes) options.fixed_inputs[name].assign(shape.begin(), shape.end());
  Plan plan{.options = std::move(options),
            .values = cut_values(arguments),
            .same = same,
            .check = make_check(arguments, *model.model, call),
            .journal = journal_plan(arguments),
            .time_limit_s = arguments.get<std::optional<double>>("time_limit"),
            .output = arguments.get<fs::path>("output"),
            .user = user_values(given_inputs(arguments, *model.model, call.log())),
            .progress = show_progress(given["progress"])};
  const std::shared_ptr<PythonCheck>& function = plan.check.function;
  std::optional<Outcome> outcome;
  try {
    outcome = call.run_for_best([&] { return run_reduction(model, plan, call); }, Subject::input);
  } catch (nb::python_error&) {
    if (function) function->rethrow();
    throw;
  }
  if (function) function->rethrow();
  const bool stopped = call.stop().requested();
  nb::dict result = to_dict(*outcome);
  result["interrupted"] = stopped;
  result["_report"] = report_of(std::make_shared<const Outcome>(*std::move(outcome)), plan, stopped);
  return result;
}

// Removes the journal of a reduction whose result is saved.
void end_journal(const nb::dict& given) {
  PythonLog log;
  remove_journal(journal_plan(Arguments{given}), log);
  log.rethrow();
}

}  // namespace

void bind_reduce(nb::module_& module) {
  module.def("reduce_model", &reduce_model, nb::arg("model"), nb::arg("arguments"));
  module.def("end_journal", &end_journal, nb::arg("arguments"));
}

}  // namespace assay::python
