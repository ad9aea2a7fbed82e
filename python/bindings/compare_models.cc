// assay.diff, == of models, and assay.locate. Results are JSON, the same as on the command line, and text.
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/free_memory.h"
#include "bindings/bindings.h"
#include "bindings/interruptible.h"
#include "bindings/model.h"
#include "bindings/report.h"
#include "bindings/sides.h"
#include "bindings/text.h"
#include "bindings/without_gil.h"
#include "cli/options/check_paths.h"
#include "data/check_runner_count.h"
#include "data/results_reader.h"
#include "diff/diff_json.h"
#include "diff/diff_models.h"
#include "diff/diff_text.h"
#include "locate/locate.h"
#include "locate/report.h"
#include "locate/save_piece.h"
#include "pages/diff_page.h"
#include "pages/layer_errors.h"
#include "pages/locate_page.h"
#include "surgeon/float16/convert_to_float16.h"

namespace assay::python {
namespace {

namespace nb = nanobind;
using Answer = std::tuple<nb::str, nb::str, NativeReport>;  // as JSON, as text, and for a report

constexpr double kRunSeconds = 600;  // the limit for loading a model, and for one run

Answer diff_models(const NativeModel& first, const NativeModel& second,
                   const std::pair<std::string, std::string>& names, const std::vector<std::string>& ignore) {
  const auto ignores = [&](std::string_view what) { return std::ranges::find(ignore, what) != ignore.end(); };
  const diff::Ignore options{ignores("names"), ignores("order"), ignores("doc-strings")};
  const auto found = std::make_shared<const diff::ModelDiff>(
      without_gil([&] { return diff::diff_models(*first.model, *second.model, options); }));
  return {to_text(diff::to_json(*found, names.first, names.second)),
          to_text(diff::to_text(*found, names.first, names.second, 0)),
          NativeReport([found, model = first.model] { return pages::diff_page(*found, *model); })};
}

bool equal_models(const NativeModel& first, const NativeModel& second) {
  return without_gil([&] { return diff::diff_models(*first.model, *second.model, {}); }).equal();
}

struct LocateArguments : SideArguments {
  int repeats = 3;
  std::filesystem::path output;
  std::filesystem::path golden;  // a file of results; empty: none
  bool float16 = false;
};

locate::LocateOptions locate_options(const LocateArguments& arguments) {
  locate::LocateOptions options;
  options.plan = compare_plan(arguments);
  options.repeats = arguments.repeats;
  options.memory_budget = base::default_memory_budget();
  options.output = arguments.output;
  return options;
}

// Returns the saved results, or null if there are none to compare with.
base::Expected<std::shared_ptr<data::ResultsReader>> open_golden(const std::filesystem::path& file) {
  if (file.empty()) return nullptr;
  ASSAY_ASSIGN(const std::shared_ptr<data::ResultsReader> golden, data::ResultsReader::open(file));
  ASSAY_TRY(data::check_one_runner(golden->runner_count(), file.string()));
  return golden;
}

// Checks that what is saved replaces none of the files that are read.
base::Status keeps_files(const NativeModel& model, const NativeModel* against, const LocateArguments& arguments) {
  if (arguments.output.empty()) return {};
  const locate::PieceFiles files = locate::name_files(
      arguments.output, {},
      {.two_models = arguments.float16 || against != nullptr, .saved_results = !arguments.golden.empty()});
  for (const std::filesystem::path& file : {files.model, files.against, files.inputs, files.golden}) {
    ASSAY_TRY(keeps_files(model, file));
    if (against != nullptr) ASSAY_TRY(keeps_files(*against, file));
    ASSAY_TRY(cli::check_paths({{"output", file.string()}},
                               {{"inputs", arguments.inputs_file.string()}, {"golden", arguments.golden.string()}}));
  }
  return {};
}

Answer locate(const NativeModel& model, const NativeModel* against, const LocateArguments& arguments) {
  const std::vector<run::EngineSetup> engines =
      engine_setups(arguments.engines, {.time_s = kRunSeconds, .memory_bytes = {}});
  locate::LocateOptions options = locate_options(arguments);
  const auto worst = std::make_shared<pages::WorstTensors>();
  pages::watch(options, *worst);
  Interruptible call;
  const Inputs inputs(arguments, *model.model, call.log());
  const auto location = std::make_shared<const locate::Location>(call.run_for_best(
      [&]() -> base::Expected<locate::Location> {
        ASSAY_TRY(keeps_files(model, against, arguments));
        ASSAY_ASSIGN(const std::shared_ptr<data::ResultsReader> golden, open_golden(arguments.golden));
        std::optional<surgeon::Float16Model> converted;
        if (arguments.float16) {
          ASSAY_ASSIGN(converted, surgeon::convert_to_float16(*model.model));
        }
        locate::LocateInput input{.model = *model.model,
                                  .against = against == nullptr ? nullptr : against->model.get(),
                                  .float16 = converted ? &converted->model : nullptr,
                                  .engines = engines,
                                  .golden = golden,
                                  .inputs = std::bind_front(&Inputs::iteration, &inputs)};
        if (converted) input.weights_beyond_float16 = converted->changed_weights;
        return locate::locate(input, options, call.pool(), call.log(), call.stop());
      },
      Subject::input));
  const auto make_page = [location, worst, model = model.model] {
    return pages::locate_page(*location, {}, *model, *worst);
  };
  return {to_text(locate::to_json(*location, {})), to_text(locate::to_text(*location)),
          NativeReport(make_page, engines)};
}

}  // namespace

void bind_compare_models(nb::module_& module) {
  module.def("diff_models", &diff_models, nb::arg("first"), nb::arg("second"), nb::arg("names"), nb::arg("ignore"));
  module.def("equal_models", &equal_models, nb::arg("first"), nb::arg("second"));
  nb::class_<LocateArguments> arguments(module, "LocateArguments");
  arguments.def(nb::init<>())
      .def_rw("repeats", &LocateArguments::repeats)
      .def_rw("output", &LocateArguments::output)
      .def_rw("golden", &LocateArguments::golden)
      .def_rw("float16", &LocateArguments::float16);
  bind_side_arguments(arguments);
  module.def("locate", &locate, nb::arg("model"), nb::arg("against").none(), nb::arg("arguments"));
}

}  // namespace assay::python
