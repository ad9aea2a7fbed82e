// Loading, saving and reading models. Weights are left in their files.
#include "bindings/model.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "bindings/bindings.h"
#include "bindings/errors.h"
#include "bindings/gil.h"
#include "bindings/log.h"
#include "bindings/text.h"
#include "bindings/without_gil.h"
#include "inspect/model_description.h"
#include "inspect/model_json.h"
#include "inspect/model_text.h"
#include "model/copy_model.h"
#include "model/initializers.h"
#include "model/load.h"
#include "model/overwrite_check.h"
#include "model/save.h"
#include "model/serialize.h"
#include "model/shapes.h"
#include "model/weights.h"
#include "model/weights/reference_weights.h"
#include "reduce/candidates/count_nodes.h"

namespace assay::python {
namespace {

namespace fs = std::filesystem;
namespace nb = nanobind;

using Size = std::variant<std::int64_t, nb::str>;                                       // -1: unknown
using Value = std::tuple<nb::str, nb::str, std::optional<std::vector<Size>>>;           // name, dtype, shape
using Weight = std::tuple<nb::str, nb::str, std::vector<std::int64_t>, std::uint64_t>;  // ..., bytes
using Node = std::tuple<nb::str, nb::str, nb::str, nb::list, nb::list>;  // name, op_type, domain, inputs, outputs

model::LoadOptions load_options(const std::optional<fs::path>& external_data_dir, bool ignore_external_data) {
  model::LoadOptions options;
  if (external_data_dir) options.external_data_dir = *external_data_dir;
  options.ignore_external_data = ignore_external_data;
  return options;
}

NativeModel load_model(const fs::path& path, const std::optional<fs::path>& external_data_dir,
                       bool ignore_external_data) {
  return NativeModel(
      without_gil([&] { return model::load(path, load_options(external_data_dir, ignore_external_data)); }));
}

NativeModel model_from_bytes(const nb::bytes& bytes, const std::optional<fs::path>& external_data_dir) {
  const std::string_view view(bytes.c_str(), bytes.size());
  return NativeModel(without_gil([&] { return model::load_bytes(view, load_options(external_data_dir, false)); }));
}

// Writes directly into the Python object, so the weights are copied once.
nb::object to_bytes(const NativeModel& self) {
  nb::object bytes;
  const auto allocate = [&](std::size_t size) -> char* {
    const GilAcquire acquire;
    bytes = nb::steal(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size)));
    return bytes.is_valid() ? PyBytes_AsString(bytes.ptr()) : nullptr;
  };
  const base::Status written = [&] {
    const GilRelease release;
    return model::serialize(*self.model, allocate);
  }();
  if (PyErr_Occurred() != nullptr) throw nb::python_error();  // MemoryError
  unwrap(written, Subject::model);
  return bytes;
}

// Returns the bytes for an engine, in which large weights refer to files in a folder, and that folder, or "".
std::pair<nb::bytes, std::string> by_reference(const NativeModel& self) {
  const model::ReferencedModel referenced = without_gil([&] { return model::serialize_by_reference(*self.model); });
  return {nb::bytes(referenced.bytes.data(), referenced.bytes.size()), referenced.external_data_dir.string()};
}

std::uint64_t inline_bytes(const NativeModel& self) {
  return without_gil([&] { return model::inline_bytes(*self.model); });
}

void save_model(const NativeModel& self, const fs::path& path, const std::optional<std::string>& external_data_path,
                std::uint64_t size_threshold, bool all_tensors_to_one_file) {
  model::SaveOptions options;
  options.external_data_path = external_data_path;
  options.size_threshold = size_threshold;
  options.all_tensors_to_one_file = all_tensors_to_one_file;
  PythonLog log;
  without_gil([&] { return model::save(*self.model, path, options, log); });
  log.rethrow();
}

// Copies the file that the model was loaded from, byte by byte.
void copy_model(const NativeModel& self, const fs::path& path) {
  without_gil([&] { return model::copy_model(*self.model, path); });
}

std::vector<Node> nodes(const NativeModel& self) {
  std::vector<Node> result;
  for (const onnx::NodeProto& node : self.model->graph().node()) {
    result.emplace_back(to_text(node.name()), to_text(node.op_type()), to_text(node.domain()), to_texts(node.input()),
                        to_texts(node.output()));
  }
  return result;
}

Value describe_value(const onnx::ValueInfoProto& value) {
  const model::TensorInfo info = model::tensor_info(value);
  std::optional<std::vector<Size>> shape;
  if (info.shape) {
    shape.emplace();
    for (const model::Dimension& size : *info.shape) {
      if (size.value < 0 && !size.symbol.empty()) {
        shape->emplace_back(to_text(size.symbol));
      } else {
        shape->emplace_back(size.value);
      }
    }
  }
  const bool known = info.type != tensor::ElementType::undefined;
  return {to_text(value.name()), to_text(known ? tensor::name(info.type) : ""), std::move(shape)};
}

std::vector<Value> inputs(const NativeModel& self) {
  std::vector<Value> result;
  const onnx::GraphProto& graph = self.model->graph();
  const auto weights = model::initializer_names(graph);
  for (const onnx::ValueInfoProto& input : graph.input()) {
    if (!weights.contains(input.name())) result.push_back(describe_value(input));
  }
  return result;
}

std::vector<Value> outputs(const NativeModel& self) {
  std::vector<Value> result;
  for (const onnx::ValueInfoProto& output : self.model->graph().output()) result.push_back(describe_value(output));
  return result;
}

std::vector<Weight> initializers(const NativeModel& self) {
  std::vector<Weight> result;
  for (const model::Initializer& weight : model::initializers(self.model->graph())) {
    result.emplace_back(to_text(weight.name), to_text(tensor::name(weight.type)),
                        std::vector<std::int64_t>(weight.shape.begin(), weight.shape.end()), weight.bytes);
  }
  return result;
}

// Returns the JSON and the text of `assay inspect model`.
std::pair<nb::str, nb::str> describe(const NativeModel& self, bool layers, bool attributes, bool weights) {
  const inspect::DescribeOptions options{.layers = layers, .attributes = attributes, .weights = weights};
  const inspect::ModelDescription description = without_gil([&] { return inspect::describe(*self.model, options); });
  return {to_text(inspect::to_json(description, options)), to_text(inspect::to_text(description, options))};
}

}  // namespace

base::Status keeps_files(const NativeModel& model, const fs::path& output) {
  return model::OverwriteCheck(*model.model, {}).check_model(output);
}

void bind_model(nb::module_& module) {
  nb::class_<NativeModel>(module, "NativeModel")
      .def("to_bytes", &to_bytes)
      .def("by_reference", &by_reference)
      .def("save", &save_model, nb::arg("path"), nb::arg("external_data_path").none(), nb::arg("size_threshold"),
           nb::arg("all_tensors_to_one_file"))
      .def("copy_to", &copy_model, nb::arg("path"))
      .def("inline_bytes", &inline_bytes)
      .def("nodes", &nodes)
      .def("inputs", &inputs)
      .def("outputs", &outputs)
      .def("initializers", &initializers)
      .def("count_nodes", [](const NativeModel& self) { return reduce::count_all_nodes(*self.model); })
      .def("graph_name", [](const NativeModel& self) { return to_text(self.model->graph().name()); })
      .def("opset", [](const NativeModel& self) { return model::default_opset(self.model->proto); })
      .def("describe", &describe, nb::arg("layers"), nb::arg("attributes"), nb::arg("weights"));
  module.def("load_model", &load_model, nb::arg("path"), nb::arg("external_data_dir").none(),
             nb::arg("ignore_external_data"));
  module.def("model_from_bytes", &model_from_bytes, nb::arg("bytes"), nb::arg("external_data_dir").none());
}

}  // namespace assay::python
