// assay.precision: the nodes that have to stay in float32. python/assay/mixed_precision.py documents it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backend/find_engines.h"
#include "base/at.h"
#include "bindings/bindings.h"
#include "bindings/compare.h"
#include "bindings/interruptible.h"
#include "bindings/model.h"
#include "bindings/python_check.h"
#include "bindings/sides.h"
#include "bindings/text.h"
#include "blame/judge_precision.h"
#include "blame/mixed_model.h"
#include "blame/precision_nodes.h"
#include "blame/quantized_nodes.h"
#include "blame/search_precision.h"
#include "blame/value_ranges.h"
#include "model/input_specs.h"
#include "model/model.h"
#include "run/layer_precisions.h"

namespace assay::python {
namespace {

namespace nb = nanobind;
using base::ErrorKind;
using base::fail;

constexpr double kRunSeconds = 600;  // the limit for loading a model, and for one run
constexpr const char* kKept = "float32";

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

// The inputs of a search, except for the models.
struct Search {
  const PrecisionArguments& arguments;
  compare::ComparePlan comparison;
  Inputs inputs;
  std::optional<run::EngineSetup> engine;     // runs the models; absent: the check judges
  std::optional<run::EngineSetup> measuring;  // measures the values inside the model
  std::shared_ptr<PythonCheck> check;
};

struct Found {
  blame::PrecisionFindings findings;
  std::shared_ptr<const blame::MixedModel> models;
  std::map<std::string, double> largest;
  std::optional<model::Model> mixed;
};

base::Expected<std::shared_ptr<const blame::MixedModel>> make_models(const NativeModel& model,
                                                                     const NativeModel* quantized,
                                                                     const std::optional<run::EngineSetup>& engine) {
  if (quantized == nullptr) {
    ASSAY_ASSIGN(auto nodes, blame::PrecisionNodes::make(*model.model, engine, model.model->path.string()));
    return std::make_shared<const blame::PrecisionNodes>(std::move(nodes));
  }
  ASSAY_ASSIGN(auto nodes,
               blame::QuantizedNodes::make(*model.model, *quantized->model, engine, quantized->model->path.string()));
  return std::make_shared<const blame::QuantizedNodes>(std::move(nodes));
}

base::Expected<blame::PrecisionJudge> make_judge(const blame::MixedModel& models, const Search& search,
                                                 Interruptible& call) {
  if (search.check) {
    const std::filesystem::path file = search.arguments.artifact;
    return blame::judge_by_file(models, file,
                                [check = search.check, file, &call] { return check->judge(file, call.stop()); });
  }
  run::RunPlan plan;
  plan.compare = search.comparison;
  plan.inputs = [&](std::int64_t index, std::span<const tensor::TensorSpec> ports) {
    return search.inputs.iteration(index, ports, call.log());
  };
  ASSAY_ASSIGN(const auto reference, models.reference());
  ASSAY_ASSIGN(blame::OutputJudge outputs,
               blame::OutputJudge::make(reference.engine, reference.model,
                                        {std::move(plan), call.pool(), call.log(), call.stop()}));
  return blame::judge_by_outputs(models, std::make_shared<const blame::OutputJudge>(std::move(outputs)));
}

// Returns the largest value of each tensor, or nothing if the values can't be measured: the search then takes more
// runs.
std::map<std::string, double> measure(const model::Model& model, const Search& search, Interruptible& call) {
  if (!search.measuring) return {};
  const auto inputs = search.inputs.iteration(0, model::input_specs(model), call.log());
  if (!inputs || !*inputs) return {};
  base::SilentLog silent;
  return blame::largest_values(model, *search.measuring, **inputs, call.pool(), silent)
      .value_or(std::map<std::string, double>());
}

base::Expected<Found> find(const NativeModel& model, const NativeModel* quantized, const Search& search,
                           Interruptible& call) {
  ASSAY_TRY(keeps_files(model, search.arguments.output));
  if (quantized != nullptr) ASSAY_TRY(keeps_files(*quantized, search.arguments.output));
  if (search.engine && run::check_lower_precision(*search.engine, kKept)) {
    return fail(ErrorKind::unsupported, "TensorRT would choose lower precisions for nodes in float32, too",
                search.engine->engine, "Set strongly_typed: TensorRT then computes in the types of the model");
  }
  Found found;
  ASSAY_ASSIGN(found.models, make_models(model, quantized, search.engine));
  if (search.engine && quantized == nullptr) ASSAY_TRY(blame::check_rounding(*search.engine, call.pool()));
  ASSAY_ASSIGN(const blame::PrecisionJudge judge, make_judge(*found.models, search, call));
  if (quantized == nullptr) found.largest = measure(found.models->whole(), search, call);
  const base::Status status =
      blame::search_precision(*found.models, judge, {search.arguments.options(), found.largest, kKept}, nullptr,
                              call.log(), call.stop(), found.findings);
  if (!status && (!found.findings.passes || status.error().kind != ErrorKind::interrupted)) return fail(status.error());
  if (!found.findings.passes) {
    return fail(ErrorKind::invalid_input, "the model fails even if all nodes stay in float32", model.model->path,
                quantized == nullptr ? "Find out first why it fails in float32, e.g. with assay.reduce"
                                     : "Check that `quantized` was made from this very model");
  }
  ASSAY_ASSIGN(found.mixed, found.models->mix(blame::numbers_at(*found.models, found.findings.kept)));
  return found;
}

nb::list nodes_of(const Found& found) {
  nb::list nodes;
  for (const int at : found.findings.kept) {
    const auto& candidate = found.models->candidates()[base::at(at)];
    nb::dict node;
    node["name"] = to_text(candidate.name);
    node["op_type"] = to_text(candidate.op_type);
    node["description"] = to_text(found.models->describe(candidate));
    node["largest"] = blame::largest_value(candidate, found.largest);
    nodes.append(node);
  }
  return nodes;
}

// Returns ONNX Runtime without optimisations, if there is one.
std::optional<run::EngineSetup> measuring_engine(const worker::Limits& limits, const Interruptible& call) {
  if (!backend::find_onnxruntime(call.engines())) return std::nullopt;
  return engine_setups({{"onnxrt", {{"graph-optimization-level", "ORT_DISABLE_ALL"}}}}, limits).front();
}

// Returns the fields of assay.MixedPrecision. `check`: a Python function that judges in place of an engine, or None.
nb::dict find_precision(const NativeModel& model, const NativeModel* quantized, const PrecisionArguments& arguments,
                        nb::object check) {
  Interruptible call;
  const worker::Limits limits{.time_s = kRunSeconds, .memory_bytes = {}};
  Search search{.arguments = arguments,
                .comparison = to_plan(arguments.comparison, call),
                .inputs = Inputs(arguments),
                .engine = {},
                .measuring = {},
                .check = {}};
  if (check.is_none()) {
    search.engine = search.measuring = engine_setups(arguments.engines, limits).front();
  } else {
    search.check = std::make_shared<PythonCheck>(std::move(check), call.own_stop());
    search.measuring = measuring_engine(limits, call);
  }
  std::optional<Found> found;
  try {
    found = call.run_for_best([&] { return find(model, quantized, search, call); }, Subject::input);
  } catch (nb::python_error&) {
    if (search.check) search.check->rethrow();
    throw;
  }
  if (search.check) search.check->rethrow();
  const std::set<int> kept = blame::numbers_at(*found->models, found->findings.kept);
  nb::dict result;
  result["nodes"] = nodes_of(*found);
  result["names"] = to_texts(found->models->names_of(kept));
  result["candidates"] = found->models->candidates().size();
  result["runs"] = found->findings.runs;
  result["stopped"] = call.stop().requested();
  result["text"] =
      to_text(blame::to_text(found->findings, *found->models, {arguments.options(), found->largest, kKept}));
  result["model"] = NativeModel(*std::move(found->mixed));
  return result;
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
