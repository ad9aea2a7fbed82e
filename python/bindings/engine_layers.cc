// The layers of TensorRT: those of an engine, behind assay.inspect, and those of a network.
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include "backend/engine_table.h"
#include "bindings/bindings.h"
#include "bindings/interruptible.h"
#include "bindings/model.h"
#include "bindings/model_source.h"
#include "bindings/text.h"
#include "bindings/without_gil.h"
#include "inspect/engine_json.h"
#include "inspect/engine_text.h"
#include "inspect/network_model.h"
#include "run/ask_network.h"
#include "tensorrt/engine_info.h"

namespace assay::python {
namespace {

namespace nb = nanobind;

using JsonAndText = std::pair<nb::str, nb::str>;

// Returns all details as JSON, and the requested ones as text.
JsonAndText describe(const tensorrt::EngineInfo& engine, bool layers, bool attributes) {
  constexpr inspect::DescribeOptions kAll{.layers = true, .attributes = true};
  return {to_text(inspect::engine_json(engine, kAll)),
          to_text(inspect::engine_text(engine, {.layers = layers, .attributes = attributes}))};
}

run::EngineSetup tensorrt_setup(std::map<std::string, std::string> options) {
  const backend::EngineRow& row = engine_row("trt");
  return {.runner = std::string(row.runner),
          .engine = std::string(row.name),
          .spec = backend::make_engine_spec(row, engine_library(row, {}), std::move(options)),
          .limits = {}};
}

// `model`: the engine, a path or its bytes. `options`: those of the worker.
JsonAndText engine_layers(const std::variant<nb::str, nb::bytes>& model, std::map<std::string, std::string> options,
                          bool layers, bool attributes) {
  const run::EngineSetup setup = tensorrt_setup(std::move(options));
  const worker::ModelSource source = source_of(model, {});
  Interruptible call;
  return describe(call.run([&] { return run::ask_layers(setup, source, call.pool()); }, Subject::input), layers,
                  attributes);
}

JsonAndText saved_engine_layers(const std::filesystem::path& path, bool layers, bool attributes) {
  return describe(without_gil([&] { return tensorrt::load_engine_info(path); }, Subject::input), layers, attributes);
}

// `model`: an ONNX model, or the path of a script. `folder`: of the external data of bytes. `values`: whether the
// weights of the layers have values.
NativeModel network_model(const std::variant<nb::str, nb::bytes>& model, const std::string& folder,
                          std::map<std::string, std::string> options, bool values) {
  const run::EngineSetup setup = tensorrt_setup(std::move(options));
  const worker::ModelSource source = source_of(model, folder);
  Interruptible call;
  const auto ask = [&]() -> base::Expected<model::Model> {
    if (!values) {
      ASSAY_ASSIGN(const auto network, run::ask_network(setup, source, call.pool()));
      return inspect::network_model(network);
    }
    ASSAY_ASSIGN(const auto asked, run::ask_network_and_weights(setup, source, call.pool()));
    return inspect::network_model(asked.network, asked.weights);
  };
  return NativeModel(call.run(ask, Subject::input));
}

}  // namespace

void bind_engine_layers(nb::module_& module) {
  module.def("engine_layers", &engine_layers, nb::arg("model"), nb::arg("options"), nb::arg("layers"),
             nb::arg("attributes"), "Asks TensorRT for the layers of an engine. Returns JSON and text.");
  module.def("saved_engine_layers", &saved_engine_layers, nb::arg("path"), nb::arg("layers"), nb::arg("attributes"),
             "Reads the layers that TensorRT's inspector wrote to a file. Returns JSON and text.");
  module.def("network_model", &network_model, nb::arg("model"), nb::arg("folder"), nb::arg("options"),
             nb::arg("values"), "Asks TensorRT for the network that it makes of a model, and returns it as a model.");
}

}  // namespace assay::python
