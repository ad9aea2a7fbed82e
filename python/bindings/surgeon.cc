// The changes of models behind assay.backend.onnx. Each function returns a new model.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "backend/find_engines.h"
#include "bindings/bindings.h"
#include "bindings/errors.h"
#include "bindings/interruptible.h"
#include "bindings/log.h"
#include "bindings/model.h"
#include "bindings/without_gil.h"
#include "cli/steps/lost_inputs.h"
#include "edit/mark_outputs.h"
#include "model/graph_view.h"
#include "model/inference/infer_shapes.h"
#include "model/inference/unbounded_sizes.h"
#include "model/input_specs.h"
#include "model/shapes.h"
#include "surgeon/extract.h"
#include "surgeon/float16/convert_to_float16.h"
#include "surgeon/fold/bound_sizes.h"
#include "surgeon/fold/fold_constants.h"
#include "surgeon/graph/declare_outputs.h"
#include "surgeon/shapes_by_running.h"
#include "tensor/generate.h"

namespace assay::python {
namespace {

namespace nb = nanobind;

constexpr double kRunSeconds = 300;  // the limit for one run of an engine, which may hang

// Name, shape and element type; a shape or type that is absent is inferred.
using Boundary = std::tuple<std::string, std::optional<std::vector<std::variant<std::int64_t, std::string>>>,
                            std::optional<std::string>>;

surgeon::Engine value_engine(Interruptible& call) {
  return {.pool = call.pool(),
          .find = [&call]() -> base::Expected<worker::EngineSpec> {
            ASSAY_ASSIGN(const backend::FoundEngine engine, backend::find_onnxruntime(call.engines()));
            return worker::EngineSpec{.kind = engine.kind, .library = engine.library, .options = {}};
          },
          .limits = {.time_s = kRunSeconds, .memory_bytes = {}}};
}

NativeModel fold_constants(const NativeModel& model, std::optional<int> passes, bool basic, bool fold_shapes,
                           bool infer_shapes, std::optional<std::uint64_t> size_threshold, bool error_ok) {
  const surgeon::FoldOptions options{
      .passes = passes,
      .partitioning = basic ? surgeon::Partitioning::basic : surgeon::Partitioning::recursive,
      .fold_shapes = fold_shapes,
      .infer_between_passes = infer_shapes,
      .size_threshold = size_threshold,
      .failures_are_errors = !error_ok};
  Interruptible call;
  return NativeModel(call.run([&]() -> base::Expected<model::Model> {
    model::Model folded = *model.model;
    std::vector<std::string> with_values = model::inputs_with_values(folded.graph());
    ASSAY_TRY(surgeon::fold_constants(folded, options, value_engine(call), call.log()));
    cli::warn_of_lost_inputs(model::lost_inputs(std::move(with_values), folded.proto), call.log());
    return folded;
  }));
}

NativeModel modify_outputs(const NativeModel& model, std::vector<std::string> outputs, std::vector<std::string> types,
                           std::vector<std::string> exclude) {
  const edit::MarkOptions options{std::move(outputs), std::move(types), std::move(exclude)};
  PythonLog log;
  NativeModel marked(without_gil([&]() -> base::Expected<model::Model> {
    model::Model changed = *model.model;
    ASSAY_TRY(edit::mark_outputs(changed, options, log));
    surgeon::declare_outputs(changed, log);
    return changed;
  }));
  log.rethrow();
  return marked;
}

std::optional<std::vector<surgeon::Boundary>> to_boundaries(const std::optional<std::vector<Boundary>>& given) {
  if (!given) return std::nullopt;
  std::vector<surgeon::Boundary> result;
  for (const auto& [name, shape, type] : *given) {
    surgeon::Boundary& boundary = result.emplace_back();
    boundary.name = name;
    if (shape) {
      boundary.shape.emplace();
      for (const auto& size : *shape) {
        const auto* number = std::get_if<std::int64_t>(&size);
        boundary.shape->push_back(number != nullptr ? model::Dimension{.value = *number, .symbol = {}}
                                                    : model::Dimension{.value = -1, .symbol = std::get<1>(size)});
      }
    }
    if (!type) continue;
    boundary.type = tensor::parse_element_type(*type);
    if (!boundary.type) {
      raise({base::ErrorKind::invalid_input, "there is no element type '" + *type + "'", "'" + name + "'",
             "Give its name, such as 'float16'"});
    }
  }
  return result;
}

NativeModel extract_subgraph(const NativeModel& model, const std::optional<std::vector<Boundary>>& inputs,
                             const std::optional<std::vector<Boundary>>& outputs) {
  surgeon::ExtractOptions options;
  options.inputs = to_boundaries(inputs);
  options.outputs = to_boundaries(outputs);
  Interruptible call;
  return NativeModel(call.run([&] {
    const surgeon::MakeFeeds feeds = [&](std::span<const tensor::TensorSpec> ports) {
      return tensor::generate_inputs(ports, {}, 0, call.log());
    };
    const surgeon::FindShapes find_shapes = [&](const std::vector<std::string>& tensors) {
      return surgeon::shapes_by_running(*model.model, tensors, feeds, value_engine(call), call.log());
    };
    return surgeon::extract(*model.model, options, find_shapes, call.log());
  }));
}

NativeModel infer_shapes(const NativeModel& model) {
  return NativeModel(without_gil([&]() -> base::Expected<model::Model> {
    model::Model inferred = *model.model;
    ASSAY_TRY(model::infer_shapes(inferred));
    return inferred;
  }));
}

// The weights are in a temporary folder, which lives as long as the model.
NativeModel convert_to_float16(const NativeModel& model) {
  return NativeModel(without_gil([&] {
    return surgeon::convert_to_float16(*model.model).map([](surgeon::Float16Model converted) {
      return std::move(converted.model);
    });
  }));
}

NativeModel set_upper_bound(const NativeModel& model, const surgeon::UpperBounds& bounds) {
  PythonLog log;
  NativeModel bounded(without_gil([&]() -> base::Expected<model::Model> {
    model::Model changed = *model.model;
    ASSAY_TRY(surgeon::bound_sizes(changed, bounds, log));
    return changed;
  }));
  log.rethrow();
  return bounded;
}

std::vector<std::string> unbounded_sizes(const NativeModel& model) {
  std::vector<std::string> names;
  for (const model::UnboundedSize& size : model::find_unbounded_sizes(model::GraphView(model.model->graph()))) {
    names.push_back(size.tensor);
  }
  return names;
}

}  // namespace

void bind_surgeon(nb::module_& module) {
  module.def("fold_constants", &fold_constants, nb::arg("model"), nb::arg("passes").none(), nb::arg("basic"),
             nb::arg("fold_shapes"), nb::arg("infer_shapes"), nb::arg("size_threshold").none(), nb::arg("error_ok"));
  module.def("modify_outputs", &modify_outputs, nb::arg("model"), nb::arg("outputs"), nb::arg("types"),
             nb::arg("exclude"));
  module.def("extract_subgraph", &extract_subgraph, nb::arg("model"), nb::arg("inputs").none(),
             nb::arg("outputs").none());
  module.def("infer_shapes", &infer_shapes, nb::arg("model"));
  module.def("convert_to_float16", &convert_to_float16, nb::arg("model"));
  module.def("set_upper_bound", &set_upper_bound, nb::arg("model"), nb::arg("bounds"));
  module.def("unbounded_sizes", &unbounded_sizes, nb::arg("model"));
}

}  // namespace assay::python
