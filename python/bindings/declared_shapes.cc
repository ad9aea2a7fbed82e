// The shapes that a model declares for its inputs and outputs, with the symbols of unknown dimensions.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

#include <string_view>
#include <variant>

#include "bindings/bindings.h"
#include "bindings/errors.h"
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
      dims.append(dim.dim_param());
    } else {
      dims.append(-1);
    }
  }
  return dims;
}

nb::dict declared_shapes(const std::variant<nb::str, nb::bytes>& source) {
  const auto* const path = std::get_if<nb::str>(&source);
  const std::string_view text =
      path != nullptr ? path->c_str()
                      : std::string_view(std::get<nb::bytes>(source).c_str(), std::get<nb::bytes>(source).size());
  const model::Model loaded = without_gil(
      [&] { return path != nullptr ? model::load(text, {.ignore_external_data = true}) : model::load_bytes(text); });
  nb::dict shapes;
  const auto add = [&shapes](const auto& values) {
    for (const onnx::ValueInfoProto& value : values) {
      if (!value.type().tensor_type().has_shape()) continue;
      shapes[value.name().c_str()] = shape_of(value.type().tensor_type().shape());
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
