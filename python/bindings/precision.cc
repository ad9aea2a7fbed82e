// assay.precision: the nodes that have to stay in float32. python/assay/mixed_precision.py documents it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "bindings/bindings.h"
#include "bindings/compare.h"
#include "bindings/interruptible.h"
#include "bindings/model.h"
#include "bindings/python_check.h"
#include "bindings/sides.h"
#include "bindings/text.h"
#include "blame/judge_precision.h"
#include "blame/mix_precision.h"
#include "blame/search_precision.h"
#include "cli/options/check_paths.h"
#include "model/model.h"

namespace assay::python {
namespace {

namespace nb = nanobind;
constexpr double kRunSeconds = 600;  // the limit for loading a model, and for one run

struct PrecisionArguments : SideArguments {
  Comparison comparison;
  std::filesystem::path artifact;  // the file that the check judges
  std::filesystem::path output;    // where the mixed model will be saved; may be empty
  std::string mode = "minimal";
  bool reverse = false;

  [[nodiscard]] blame::PrecisionOptions options() const {
    using Mode = blame::PrecisionMode;
    const std::map<std::string, Mode> modes = {
        {"minimal", Mode::minimal}, {"bisect", Mode::bisect}, {"linear", Mode::linear}};
    return {.mode = modes.at(mode), .reverse = reverse};
  }
};

// The answer as JSON and as text, and the mixed model.
using Answer = std::tuple<nb::str, nb::str, NativeModel>;

struct Found {
  blame::MixAnswer answer;
  model::Model mixed;
};

base::Expected<Found> find(const NativeModel& model, const NativeModel* quantized, blame::MixTask task,
                           const PrecisionArguments& arguments, Interruptible& call) {
  ASSAY_TRY(keeps_files(model, arguments.output));
  if (quantized != nullptr) ASSAY_TRY(keeps_files(*quantized, arguments.output));
  ASSAY_TRY(cli::check_paths({{"output", arguments.output.string()}}, {{"inputs", arguments.inputs_file.string()}}));
  ASSAY_ASSIGN(blame::MixAnswer answer,
               blame::mix_precision(std::move(task), {call.pool(), call.log(), call.stop(), call.engines()}));
  const base::Status& status = answer.choice.status;
  if (!status && status.error().kind != base::ErrorKind::interrupted) return base::fail(status.error());
  ASSAY_ASSIGN(model::Model mixed, answer.models->mix(answer.choice.keep));
  return Found{.answer = std::move(answer), .mixed = std::move(mixed)};
}

// Returns the search for an engine, or for the check: a Python function that judges in place of an engine.
blame::MixTask task_of(const NativeModel& model, const NativeModel* quantized, const PrecisionArguments& arguments,
                       const Inputs& inputs, const std::shared_ptr<PythonCheck>& check, Interruptible& call) {
  blame::MixTask task{.model = *model.model, .options = arguments.options(), .name = model.model->path.string()};
  if (quantized != nullptr) {
    task.quantized = *quantized->model;
    task.quantized_name = quantized->model->path.empty() ? "quantized" : quantized->model->path.string();
  }
  task.plan.inputs = std::bind_front(&Inputs::iteration, &inputs);
  if (!check) {
    task.engine = engine_setups(arguments.engines, {.time_s = kRunSeconds, .memory_bytes = {}}).front();
    task.plan.compare = to_plan(arguments.comparison, call);
  }
  task.check = [&call, check, file = arguments.artifact](const blame::MixedModel& models) {
    return blame::judge_by_file(models, file, [&call, check, file] { return check->judge(file, call.stop()); });
  };
  return task;
}

Answer find_precision(const NativeModel& model, const NativeModel* quantized, const PrecisionArguments& arguments,
                      nb::object function) {
  Interruptible call;
  const Inputs inputs(arguments, *model.model, call.log());
  std::shared_ptr<PythonCheck> check;
  if (!function.is_none()) check = std::make_shared<PythonCheck>(std::move(function), call.own_stop());
  blame::MixTask task = task_of(model, quantized, arguments, inputs, check, call);
  std::optional<Found> found;
  try {
    found = call.run_for_best([&] { return find(model, quantized, std::move(task), arguments, call); }, Subject::input);
  } catch (nb::python_error&) {
    if (check) check->rethrow();
    throw;
  }
  if (check) check->rethrow();
  const auto& [models, search, choice] = found->answer;
  return {to_text(blame::to_json(choice, *models, search, {.names = models->names_of(choice.keep)})),
          to_text(blame::to_text(choice, *models, search)), NativeModel(std::move(found->mixed))};
}

}  // namespace

void bind_precision(nb::module_& module) {
  nb::class_<PrecisionArguments> arguments(module, "PrecisionArguments");
  arguments.def(nb::init<>())
      .def_rw("comparison", &PrecisionArguments::comparison)
      .def_rw("artifact", &PrecisionArguments::artifact)
      .def_rw("output", &PrecisionArguments::output)
      .def_rw("mode", &PrecisionArguments::mode)
      .def_rw("reverse", &PrecisionArguments::reverse);
  bind_side_arguments(arguments);
  module.def("find_precision", &find_precision, nb::arg("model"), nb::arg("quantized").none(), nb::arg("arguments"),
             nb::arg("check").none());
}

}  // namespace assay::python
