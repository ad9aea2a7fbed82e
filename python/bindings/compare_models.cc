// assay.diff and assay.locate. Both return their results as JSON, the same as on the command line, and as text.
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/find_engines.h"
#include "base/free_memory.h"
#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "bindings/installation.h"
#include "bindings/interruptible.h"
#include "bindings/model.h"
#include "bindings/without_gil.h"
#include "diff/diff_json.h"
#include "diff/diff_models.h"
#include "diff/diff_text.h"
#include "locate/locate.h"
#include "locate/report.h"
#include "surgeon/float16/convert_to_float16.h"
#include "tensor/generate.h"

namespace assay::python {
namespace {

namespace nb = nanobind;
using base::ErrorKind;
using JsonAndText = std::pair<std::string, std::string>;

constexpr double kRunSeconds = 600;                           // the limit for loading a model, and for one run
constexpr std::uint64_t kShare = 4;                           // of the free memory, for values of tensors
constexpr std::uint64_t kIfUnknown = std::uint64_t{4} << 30;  // if the free memory is unknown

JsonAndText diff_models(const NativeModel& first, const NativeModel& second,
                        const std::pair<std::string, std::string>& names, const std::vector<std::string>& ignore) {
  const auto ignores = [&](std::string_view what) { return std::ranges::find(ignore, what) != ignore.end(); };
  const diff::Ignore options{ignores("names"), ignores("order"), ignores("doc-strings")};
  const diff::ModelDiff found = without_gil([&] { return diff::diff_models(*first.model, *second.model, options); });
  return {diff::to_json(found, names.first, names.second), diff::to_text(found, names.first, names.second, 0)};
}

// An engine's short name, "onnxrt", and its settings by their short names; those of TensorRT as its worker takes them.
using Engine = std::pair<std::string, std::map<std::string, std::string>>;

// `index` is that of the side, 0 or 1.
run::EngineSetup engine_setup(const Engine& engine, std::size_t index) {
  const backend::EngineRow& row = engine_row(engine.first);
  std::map<std::string, std::string> options;
  std::string library;
  for (const auto& [name, value] : engine.second) {
    if (row.has_tensorrt_settings && (name.starts_with("--") || name == "input_shapes")) {
      options[name] = value;
      continue;
    }
    const auto setting = std::ranges::find(row.settings, name, &backend::EngineSetting::name);
    if (setting == row.settings.end()) {
      raise({ErrorKind::invalid_input,
             engine.first + " has no setting '" + name + "'",
             {},
             "`assay run --help` lists them"});
    }
    if (setting->key == backend::kLibrary) {
      library = value;
    } else {
      options[std::string(setting->key)] = value;
    }
  }
  return {.runner = fmt::format("{} N{}", row.runner, index),  // as the command line calls it
          .engine = std::string(row.name),
          .spec = backend::make_engine_spec(row, engine_library(row, library), std::move(options)),
          .limits = {.time_s = kRunSeconds, .memory_bytes = {}}};
}

struct LocateArguments {
  std::vector<Engine> engines;
  std::vector<nb::dict> inputs;  // one for each iteration; empty: generated
  std::map<std::string, std::vector<std::int64_t>> input_shapes;
  std::int64_t seed = 1;
  std::optional<double> rtol, atol;  // absent: the default of the comparison
  int repeats = 3;
  std::string output;
  bool float16 = false;
};

locate::LocateOptions locate_options(const LocateArguments& arguments) {
  locate::LocateOptions options;
  options.plan.functions = unwrap(compare::find_compare_functions({"simple"}));
  if (arguments.rtol) options.plan.options.set(compare::kRelativeTolerance, *arguments.rtol);
  if (arguments.atol) options.plan.options.set(compare::kAbsoluteTolerance, *arguments.atol);
  options.repeats = arguments.repeats;
  const std::uint64_t free = base::free_memory();
  options.memory_budget = free > 0 ? free / kShare : kIfUnknown;
  options.output = arguments.output;
  return options;
}

// Returns the inputs of an iteration as the caller gave them, or generates them.
class Inputs {
 public:
  explicit Inputs(const LocateArguments& arguments) {
    for (const nb::dict& iteration : arguments.inputs) given_.push_back(to_tensors(iteration));
    generate_.seed = arguments.seed;
    generate_.shapes = {arguments.input_shapes.begin(), arguments.input_shapes.end()};
  }

  [[nodiscard]] base::Expected<std::optional<tensor::NamedTensors>> iteration(std::int64_t index,
                                                                              std::span<const tensor::TensorSpec> ports,
                                                                              base::Log& log) const {
    if (index >= std::max(std::ssize(given_), std::ptrdiff_t{1})) return std::nullopt;
    if (!given_.empty()) return std::optional(given_[static_cast<std::size_t>(index)]);
    ASSAY_ASSIGN(tensor::NamedTensors feeds, tensor::generate_inputs(ports, generate_, index, log));
    return std::optional(std::move(feeds));
  }

 private:
  std::vector<tensor::NamedTensors> given_;
  tensor::GenerateOptions generate_;
};

JsonAndText locate(const NativeModel& model, const NativeModel* against, const LocateArguments& arguments) {
  std::vector<run::EngineSetup> engines;
  for (const Engine& engine : arguments.engines) engines.push_back(engine_setup(engine, engines.size()));
  const locate::LocateOptions options = locate_options(arguments);
  const Inputs inputs(arguments);
  Interruptible call;
  const locate::Location location = call.run_for_best(
      [&]() -> base::Expected<locate::Location> {
        std::optional<surgeon::Float16Model> converted;
        if (arguments.float16) {
          ASSAY_ASSIGN(converted, surgeon::convert_to_float16(*model.model));
        }
        locate::LocateInput input{.model = *model.model,
                                  .against = against == nullptr ? nullptr : against->model.get(),
                                  .float16 = converted ? &converted->model : nullptr,
                                  .engines = std::move(engines),
                                  .golden = nullptr,
                                  .inputs = [&](std::int64_t index, std::span<const tensor::TensorSpec> ports) {
                                    return inputs.iteration(index, ports, call.log());
                                  }};
        if (converted) input.weights_beyond_float16 = converted->changed_weights;
        return locate::locate(input, options, call.pool(), call.log(), call.stop());
      },
      Subject::input);
  return {locate::to_json(location, {}), locate::to_text(location)};
}

}  // namespace

void bind_compare_models(nb::module_& module) {
  module.def("diff_models", &diff_models, nb::arg("first"), nb::arg("second"), nb::arg("names"), nb::arg("ignore"));
  nb::class_<LocateArguments>(module, "LocateArguments")
      .def(nb::init<>())
      .def_rw("engines", &LocateArguments::engines)
      .def_rw("inputs", &LocateArguments::inputs)
      .def_rw("input_shapes", &LocateArguments::input_shapes)
      .def_rw("seed", &LocateArguments::seed)
      .def_rw("rtol", &LocateArguments::rtol)
      .def_rw("atol", &LocateArguments::atol)
      .def_rw("repeats", &LocateArguments::repeats)
      .def_rw("output", &LocateArguments::output)
      .def_rw("float16", &LocateArguments::float16);
  module.def("locate", &locate, nb::arg("model"), nb::arg("against").none(), nb::arg("arguments"));
}

}  // namespace assay::python
