// The shapes that a model declares for its inputs and outputs, with the symbols of unknown dimensions.
#include <nanobind/nanobind.h>
#include <nanobind/stl/variant.h>

#include <string_view>
#include <variant>

#include "bindings/bindings.h"
#include "bindings/text.h"
#include "bindings/without_gil.h"
#include "model/load.h"

namespace assay::python {
namespace {

namespace nb = nanobind;

// Dimensions are numbers or symbols, or -1 if the model says nothing.
nb::list shape_of(const onnx::TensorShapeProto& shape) {
  nb::list dims;
  for (const onnx::TensorShapeProto::Dimension& dim : shape.dim()) {
    if (dim.has_dim_value()) {
      dims.append(dim.dim_value());
    } else if (dim.has_dim_param() && !dim.dim_param().empty()) {
      dims.append(to_text(dim.dim_param()));
    } else {
      dims.append(-1);
    }
  }
  return dims;
}

model::Model load_source(const std::variant<nb::str, nb::bytes>& source) {
  if (const auto* const path = std::get_if<nb::str>(&source)) {
    return without_gil([file = to_path(*path)] { return model::load(file, {.ignore_external_data = true}); });
  }
  const nb::bytes& bytes = std::get<nb::bytes>(source);
  return without_gil([text = std::string_view(bytes.c_str(), bytes.size())] { return model::load_bytes(text); });
}

nb::dict declared_shapes(const std::variant<nb::str, nb::bytes>& source) {
  const model::Model loaded = load_source(source);
  nb::dict shapes;
  const auto add = [&shapes](const auto& values) {
    for (const onnx::ValueInfoProto& value : values) {
      if (!value.type().tensor_type().has_shape()) continue;
      shapes[to_text(value.name())] = shape_of(value.type().tensor_type().shape());
    }
  };
  add(loaded.graph().input());
  add(loaded.graph().output());
  return shapes;
}

}  // namespace

void bind_declared_shapes(nb::module_& module) {
  module.def("declared_shapes", &declared_shapes, nb::arg("source"),
             "Returns the shapes of inputs and outputs by name; unknown dimensions are symbols or -1.");
}

}  // namespace assay::python
