// assay.diagnose: fills a case and asks the questions, as the command does. Returns what was found as JSON, the same as
// on the command line, and as text.
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/files.h"
#include "bindings/bindings.h"
#include "bindings/gil.h"
#include "bindings/interruptible.h"
#include "bindings/model.h"
#include "bindings/own_command.h"
#include "bindings/report.h"
#include "bindings/sides.h"
#include "bindings/text.h"
#include "cli/commands/diagnose/ask_questions.h"
#include "data/results_reader.h"
#include "diagnose/conclusion.h"
#include "diagnose/fill_case.h"
#include "diagnose/folder.h"
#include "diagnose/journal.h"
#include "diagnose/page.h"
#include "diagnose/report_json.h"
#include "diagnose/report_text.h"
#include "model/save.h"
#include "worker/models/model_source.h"

namespace assay::python {
namespace {

namespace fs = std::filesystem;
namespace nb = nanobind;

struct DiagnoseArguments : SideArguments {
  fs::path file;  // of the model; empty: the model is saved to the folder
  fs::path folder;
  bool resume = false;
  fs::path golden;                   // empty: none
  bool golden_is_temporary = false;  // the file is copied to the folder
  std::optional<double> engine_timeout;
  std::optional<std::uint64_t> engine_memory;
  double budget = 0;  // 0: unlimited
  std::vector<std::string> skip;
  nb::object progress = nb::none();  // called with the question and how many are answered; may be None
};

// Returns the options of `assay run` for its commands.
std::vector<std::string> run_words(const DiagnoseArguments& arguments) {
  std::vector<std::string> words;
  const auto add = [&](const char* option, const auto& value) {
    if (value) words.insert(words.end(), {std::string(option), fmt::format("{}", *value)});
  };
  add("--engine-timeout", arguments.engine_timeout);
  add("--engine-memory", arguments.engine_memory);
  add("--rtol", arguments.rtol);
  add("--atol", arguments.atol);
  return words;
}

// Returns the command's words for generated inputs.
std::vector<std::string> data_words(const DiagnoseArguments& arguments) {
  if (arguments.seed == 1) return {};
  return {"--seed", fmt::format("{}", arguments.seed)};
}

// Copies results that were in memory from a temporary file to the folder, where later commands find them.
base::Status keep_golden(diagnose::Case& task, const DiagnoseArguments& arguments) {
  ASSAY_ASSIGN(const std::string text, base::read_file(arguments.golden));
  ASSAY_TRY(base::write_file(task.golden_file, text));
  ASSAY_ASSIGN(task.golden, data::ResultsReader::open(task.golden_file));
  return {};
}

std::vector<std::string> step_names() {
  std::vector<std::string> names;
  for (const diagnose::StepRow& row : diagnose::steps()) names.emplace_back(row.name);
  return names;
}

// Tells a Python function how far the diagnosis is. If it raises an exception, Python prints the exception, and the
// diagnosis continues.
void show(const nb::object& function, std::string_view question, std::size_t answered) {
  const GilAcquire acquire;
  try {
    call_python(function, nb::make_tuple(std::string(question), answered));
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("assay.diagnose: progress");
  }
}

diagnose::DiagnoseOptions diagnose_options(const DiagnoseArguments& arguments) {
  diagnose::DiagnoseOptions options;
  options.budget_s = arguments.budget;
  options.skip = {arguments.skip.begin(), arguments.skip.end()};
  if (arguments.progress.is_none()) return options;
  const auto position = [](const diagnose::StepRow& row) {
    return static_cast<std::size_t>(&row - diagnose::steps().data());
  };
  options.step_begins = [&arguments, position](const diagnose::StepRow& row) {
    show(arguments.progress, row.question, position(row));
  };
  options.step_ends = [&arguments, position](const diagnose::StepRow& row, const diagnose::Step&) {
    show(arguments.progress, row.question, position(row) + 1);
  };
  return options;
}

struct Diagnosed {
  diagnose::State state;
  bool stopped = false;  // by Ctrl-C, after something was seen to fail
};

// Asks the questions. If the user ends that after something was seen to fail, returns what is known.
base::Expected<Diagnosed> ask(diagnose::Case& task, const DiagnoseArguments& arguments, const Inputs& inputs,
                              const cli::Installation& here, Interruptible& call) {
  if (!arguments.golden.empty()) ASSAY_TRY(diagnose::add_golden(task, arguments.golden));
  ASSAY_TRY(diagnose::add_inputs(task, std::bind_front(&Inputs::iteration, &inputs), call.log()));
  if (arguments.golden_is_temporary) task.golden_file = task.folder / "golden.json";
  ASSAY_ASSIGN(diagnose::State state, diagnose::open_folder(task, task.data_words, arguments.resume));
  if (arguments.golden_is_temporary) ASSAY_TRY(keep_golden(task, arguments));
  if (arguments.file.empty()) ASSAY_TRY(model::save(task.model, task.file, {}, call.log()));
  auto asked = cli::ask_questions(task, std::move(state), diagnose_options(arguments),
                                  {call.log(), here, call.pool(), call.stop()});
  if (asked) return Diagnosed{.state = *std::move(asked)};
  if (asked.error().kind == base::ErrorKind::interrupted) {
    auto kept = diagnose::load_state(task.folder);
    if (kept && *kept && (*kept)->facts.failure != diagnose::Failure::none) {
      return Diagnosed{.state = **std::move(kept), .stopped = true};
    }
  }
  return base::fail(std::move(asked).error());
}

// Makes the page of a diagnosis, for which it keeps no inputs or saved results.
NativeReport report_of(const diagnose::Case& task, const Diagnosed& found, const NativeModel& model) {
  const std::vector<diagnose::Side> sides = task.sides;
  std::vector<run::EngineSetup> engines;
  for (const diagnose::Side& side : sides) engines.push_back(side.setup);
  auto make_page = [found, sides, model = model.model, file = task.file] {
    const diagnose::Case shown{.file = file, .model = *model, .sides = sides};
    return found.stopped ? diagnose::make_stopped_page(shown, found.state) : diagnose::make_page(shown, found.state);
  };
  return NativeReport(std::move(make_page), std::move(engines));
}

std::tuple<nb::str, nb::str, bool, NativeReport> diagnose_model(const NativeModel& model,
                                                                const DiagnoseArguments& arguments) {
  Interruptible call;
  const Inputs inputs(arguments, *model.model, call.log());
  const cli::Installation here = own_installation();
  const fs::path folder = fs::absolute(arguments.folder);
  const fs::path file = arguments.file.empty() ? folder / "model.onnx" : fs::absolute(arguments.file);
  diagnose::Case task{.file = file, .model = *model.model, .source = unwrap(worker::file_source(file))};
  const worker::Limits limits{.time_s = arguments.engine_timeout, .memory_bytes = arguments.engine_memory};
  diagnose::add_sides(task, engine_setups(arguments.engines, limits), here.engines, call.log());
  task.plan = compare_plan(arguments);
  task.run_words = run_words(arguments);
  task.program = here.executable;
  task.inputs_are_random = inputs.are_generated();
  if (task.inputs_are_random) task.data_words = data_words(arguments);
  for (const auto& [name, shape] : arguments.input_shapes) {
    if (std::ranges::all_of(shape, [](std::int64_t size) { return size >= 0; })) task.shaped_inputs.insert(name);
  }
  task.folder = folder;
  const Diagnosed found = call.run_for_best([&] { return ask(task, arguments, inputs, here, call); }, Subject::input);
  return {to_text(diagnose::to_json(task, found.state)),
          to_text(found.stopped ? diagnose::stopped_sentence(task, found.state) : diagnose::to_text(task, found.state)),
          found.stopped, report_of(task, found, model)};
}

}  // namespace

void bind_diagnose(nb::module_& module) {
  nb::class_<DiagnoseArguments> arguments(module, "DiagnoseArguments");
  arguments.def(nb::init<>())
      .def_rw("file", &DiagnoseArguments::file)
      .def_rw("folder", &DiagnoseArguments::folder)
      .def_rw("resume", &DiagnoseArguments::resume)
      .def_rw("golden", &DiagnoseArguments::golden)
      .def_rw("golden_is_temporary", &DiagnoseArguments::golden_is_temporary)
      .def_rw("engine_timeout", &DiagnoseArguments::engine_timeout)
      .def_rw("engine_memory", &DiagnoseArguments::engine_memory)
      .def_rw("budget", &DiagnoseArguments::budget)
      .def_rw("skip", &DiagnoseArguments::skip)
      .def_rw("progress", &DiagnoseArguments::progress);
  bind_side_arguments(arguments);
  module.def("diagnosis_steps", &step_names);
  module.def("diagnose_model", &diagnose_model, nb::arg("model"), nb::arg("arguments"));
}

}  // namespace assay::python
