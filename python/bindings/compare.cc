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
#include "bindings/errors.h"
#include "bindings/gil.h"
#include "bindings/log.h"
#include "compare/compare_outputs.h"
#include "compare/error_pictures.h"
#include "run/take_top.h"

namespace assay::python {
namespace {

namespace nb = nanobind;

// By option ("--atol"), then by output; "" stands for all other outputs. Words are those of the command line.
using Settings = std::map<std::string, std::map<std::string, std::variant<double, std::string>>>;

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
compare::CompareOptions options_of(const compare::CompareFunction& function, const Settings& settings) {
  compare::CompareOptions options;
  for (const compare::Setting& setting : function.settings()) {
    const auto given = settings.find(std::string(setting.name));
    if (given == settings.end()) continue;
    for (const auto& [output, value] : given->second) options.set(setting, value_of(setting, value), output);
  }
  options.keep_metrics = true;
  return options;
}

struct Side {
  std::string runner;
  nb::dict outputs;
};

// The arguments that a comparison function in assay/comparator/compare.py passes.
struct CompareCall {
  std::string function;
  Settings settings;
  bool check_shapes = true;
  stats::EqualSpecials equal;
  bool fail_fast = false;
  std::map<std::string, std::string> pictures;  // "heat_map_folder", "plot_folder", "show_heat_maps", "show_plots"
};

compare::PictureOptions pictures_of(const CompareCall& call) {
  const auto of = [&call](const char* key) {
    const auto at = call.pictures.find(key);
    return at == call.pictures.end() ? std::string() : at->second;
  };
  return {.heat_map_folder = of("heat_map_folder"),
          .plot_folder = of("plot_folder"),
          .show_heat_maps = !of("show_heat_maps").empty(),
          .show_plots = !of("show_plots").empty()};
}

// Returns for each output its name, the verdict, the metrics (None if absent) and the thresholds, or None for both if
// only the verdict is known.
nb::list compare_outputs(const CompareCall& call, const Side& first, const Side& second) {
  const auto functions = unwrap(compare::find_compare_functions({call.function}));
  PythonLog log;
  const compare::PictureOptions picture_options = pictures_of(call);
  compare::ErrorPictures pictures(picture_options, log);
  compare::ComparePlan plan{.functions = functions,
                            .options = options_of(*functions.front(), call.settings),
                            .fail_fast = call.fail_fast,
                            .pictures = picture_options.any() ? &pictures : nullptr};
  plan.options.check_shapes = call.check_shapes;
  plan.options.equal = call.equal;
  const tensor::NamedTensors ours = to_tensors(first.outputs);
  const tensor::NamedTensors theirs = to_tensors(second.outputs);
  const compare::IterationJudgement judged = [&] {
    const GilRelease release;
    return compare::judge_outputs({first.runner, ours}, {second.runner, theirs}, plan, log);
  }();
  log.rethrow();
  unwrap(pictures.status());
  nb::list results;
  for (const compare::OutputJudgement& output : judged.by_function.front()) {
    const auto& [passed, measured] = output.judgement;
    if (!measured) {
      results.append(nb::make_tuple(output.output, passed, nb::none(), nb::none()));
    } else {
      results.append(nb::make_tuple(output.output, passed, measured->values, measured->thresholds));
    }
  }
  return results;
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

void bind_compare(nb::module_& module) {
  module.def(
      "compare",
      [](std::string function, Settings settings, bool check_shapes, bool infinities_equal, bool nans_equal,
         bool fail_fast, std::map<std::string, std::string> pictures, std::string first_runner, nb::dict first,
         std::string second_runner, nb::dict second) {
        return compare_outputs({.function = std::move(function),
                                .settings = std::move(settings),
                                .check_shapes = check_shapes,
                                .equal = {.infinities = infinities_equal, .nans = nans_equal},
                                .fail_fast = fail_fast,
                                .pictures = std::move(pictures)},
                               {std::move(first_runner), std::move(first)},
                               {std::move(second_runner), std::move(second)});
      },
      nb::arg("function"), nb::arg("settings"), nb::arg("check_shapes"), nb::arg("infinities_equal"),
      nb::arg("nans_equal"), nb::arg("fail_fast"), nb::arg("pictures"), nb::arg("first_runner"), nb::arg("first"),
      nb::arg("second_runner"), nb::arg("second"));
  module.def("top_k", &top_k, nb::arg("array"), nb::arg("count"), nb::arg("axis"));
}

}  // namespace assay::python
