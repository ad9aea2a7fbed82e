// The comparison functions of the command line, for two dictionaries of arrays.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "bindings/compare.h"
#include "bindings/errors.h"
#include "bindings/gil.h"
#include "bindings/installation.h"
#include "bindings/log.h"
#include "bindings/without_gil.h"
#include "compare/compare_outputs.h"
#include "compare/error_pictures.h"
#include "run/perceptual_distance.h"
#include "run/take_top.h"

namespace assay::python {
namespace {

namespace nb = nanobind;

double value_of(const compare::Setting& setting, const std::variant<double, std::string>& value) {
  if (const auto* word = std::get_if<std::string>(&value)) {
    const auto at = std::ranges::find(setting.words, *word);
    if (at == setting.words.end()) {
      std::string allowed;
      for (const std::string_view each : setting.words) allowed += (allowed.empty() ? "" : ", ") + std::string(each);
      raise(base::Error{base::ErrorKind::invalid_input, "'" + *word + "' isn't a value of this setting",
                        std::string(setting.name), allowed.empty() ? "Give a number" : "Use one of " + allowed});
    }
    return static_cast<double>(at - setting.words.begin());
  }
  const double number = std::get<double>(value);
  unwrap(compare::check_number(setting, number));
  return number;
}

// Converts the settings of one function.
compare::CompareOptions options_of(const compare::CompareFunction& function, const Comparison::Settings& settings) {
  compare::CompareOptions options;
  for (const compare::Setting& setting : function.settings()) {
    const auto given = settings.find(std::string(setting.name));
    if (given == settings.end()) continue;
    for (const auto& [output, value] : given->second) options.set(setting, value_of(setting, value), output);
  }
  return options;
}

// Loads the network, whose weights PyTorch may have to download first.
compare::PerceptualDistance perceptual_distance(Interruptible& call) {
  const auto python = engine_library(engine_row("reference"), {});  // the running interpreter
  return call.run([&] { return run::perceptual_distance(python, call.pool()); });
}

struct Side {
  std::string runner;
  nb::dict outputs;
};

// The keys are "heat_map_folder", "plot_folder", "show_heat_maps" and "show_plots".
using Pictures = std::map<std::string, std::string>;

compare::PictureOptions to_options(const Pictures& pictures) {
  const auto of = [&pictures](const char* key) {
    const auto at = pictures.find(key);
    return at == pictures.end() ? std::string() : at->second;
  };
  return {.heat_map_folder = of("heat_map_folder"),
          .plot_folder = of("plot_folder"),
          .show_heat_maps = !of("show_heat_maps").empty(),
          .show_plots = !of("show_plots").empty()};
}

// Returns for each output its name, the verdict, the metrics (None if absent) and the thresholds, or None for both if
// only the verdict is known.
nb::list compare_outputs(const Comparison& comparison, const Pictures& wanted, const Side& first, const Side& second) {
  Interruptible call;
  PythonLog log;
  const compare::PictureOptions picture_options = to_options(wanted);
  compare::ErrorPictures pictures(picture_options, log);
  compare::ComparePlan plan = to_plan(comparison, call);
  plan.options.keep_metrics = true;
  if (picture_options.any()) plan.pictures = &pictures;
  const tensor::NamedTensors ours = to_tensors(first.outputs);
  const tensor::NamedTensors theirs = to_tensors(second.outputs);
  const auto judge = [&]() -> base::Expected<compare::IterationJudgement> {
    return compare::judge_outputs({first.runner, ours}, {second.runner, theirs}, plan, log);
  };
  // LPIPS may take long, and runs in a worker, which Ctrl-C can end.
  const compare::IterationJudgement judged = plan.options.perceptual_distance ? call.run(judge) : without_gil(judge);
  log.rethrow();
  unwrap(pictures.status());
  nb::list results;
  for (const compare::OutputJudgement& output : judged.by_function.front()) {
    const compare::Judgement& judgement = output.judgement;
    if (const auto& measured = judgement.measured) {
      results.append(nb::make_tuple(output.output, judgement.passed, measured->values, measured->thresholds));
    } else {
      results.append(nb::make_tuple(output.output, judgement.passed, nb::none(), nb::none()));
    }
  }
  return results;
}

std::vector<double> thresholds(const std::string& function, const Comparison::Settings& settings,
                               const std::string& output) {
  const compare::CompareFunction& row = compare::compare_function(function);
  return compare::thresholds_of(row, output, options_of(row, settings));
}

nb::object top_k(nb::handle array, std::int64_t count, std::int64_t axis) {
  const tensor::Tensor tensor = to_tensor(array);
  auto top = [&] {
    const GilRelease release;
    return run::take_top(tensor, {count, axis});
  }();
  return to_array(unwrap(std::move(top)));
}

}  // namespace

compare::ComparePlan to_plan(const Comparison& comparison, Interruptible& call) {
  compare::ComparePlan plan{.functions = unwrap(compare::find_compare_functions({comparison.function})),
                            .options = {},
                            .fail_fast = comparison.fail_fast};
  plan.options = options_of(*plan.functions.front(), comparison.settings);
  plan.options.check_shapes = comparison.check_shapes;
  plan.options.equal = comparison.equal;
  if (comparison.function == "perceptual_metrics") plan.options.perceptual_distance = perceptual_distance(call);
  return plan;
}

void bind_compare(nb::module_& module) {
  nb::class_<Comparison>(module, "Comparison")
      .def(
          "__init__",
          [](Comparison* self, std::string function, Comparison::Settings settings, bool check_shapes,
             bool infinities_equal, bool nans_equal, bool fail_fast) {
            new (self) Comparison{.function = std::move(function),
                                  .settings = std::move(settings),
                                  .check_shapes = check_shapes,
                                  .equal = {.infinities = infinities_equal, .nans = nans_equal},
                                  .fail_fast = fail_fast};
          },
          nb::arg("function"), nb::arg("settings"), nb::arg("check_shapes"), nb::arg("infinities_equal"),
          nb::arg("nans_equal"), nb::arg("fail_fast"));
  module.def(
      "compare",
      [](const Comparison& comparison, const Pictures& pictures, std::string first_runner, nb::dict first,
         std::string second_runner, nb::dict second) {
        return compare_outputs(comparison, pictures, {std::move(first_runner), std::move(first)},
                               {std::move(second_runner), std::move(second)});
      },
      nb::arg("comparison"), nb::arg("pictures"), nb::arg("first_runner"), nb::arg("first"), nb::arg("second_runner"),
      nb::arg("second"));
  module.def("thresholds", &thresholds, nb::arg("function"), nb::arg("settings"), nb::arg("output"));
  module.def("top_k", &top_k, nb::arg("array"), nb::arg("count"), nb::arg("axis"));
}

}  // namespace assay::python
