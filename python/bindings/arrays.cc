#include "bindings/arrays.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/bindings.h"
#include "bindings/errors.h"
#include "bindings/gil.h"
#include "bindings/text.h"
#include "tensor/packed.h"

namespace assay::python {
namespace {

namespace nb = nanobind;
using tensor::ElementType;
using tensor::Tensor;

// The types that NumPy lacks, by the names that ml_dtypes gives them.
struct MlType {
  const char* name;
  ElementType type;
};
constexpr MlType kMlTypes[] = {
    {"bfloat16", ElementType::bfloat16},
    {"float8_e4m3fn", ElementType::float8e4m3fn},
    {"float8_e4m3fnuz", ElementType::float8e4m3fnuz},
    {"float8_e5m2", ElementType::float8e5m2},
    {"float8_e5m2fnuz", ElementType::float8e5m2fnuz},
    {"float8_e8m0fnu", ElementType::float8e8m0},
    {"float4_e2m1fn", ElementType::float4e2m1},
    {"float6_e2m3fn", ElementType::float6e2m3},
    {"float6_e3m2fn", ElementType::float6e3m2},
    {"int4", ElementType::int4},
    {"uint4", ElementType::uint4},
    {"int2", ElementType::int2},
    {"uint2", ElementType::uint2},
};

nb::module_ numpy() {
  return nb::module_::import_("numpy");
}

ElementType find_type(const nb::object& dtype) {
  const auto kind = nb::cast<std::string>(dtype.attr("kind"));
  if (kind == "U" || kind == "S" || kind == "O" || kind == "T") return ElementType::string;
  const auto name = nb::cast<std::string>(dtype.attr("name"));
  const auto* const ml = std::ranges::find(kMlTypes, name, &MlType::name);
  if (ml != std::end(kMlTypes)) return ml->type;
  return tensor::parse_element_type(name).value_or(ElementType::undefined);
}

// Returns a type of the package ml_dtypes. Throws NotFoundError if it isn't installed: NumPy itself has no such type.
nb::object ml_dtype(const char* name) {
  nb::object package;
  try {
    package = nb::module_::import_("ml_dtypes");
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_ImportError)) throw;
    raise({base::ErrorKind::not_found,
           "arrays of type " + std::string(name) + " need the Python package ml_dtypes",
           {},
           "Install it: pip install ml_dtypes"});
  }
  return numpy().attr("dtype")(package.attr(name));
}

// Returns an array of NumPy for a number, a list, or a tensor of PyTorch. Numbers of NumPy (np.float32(1)) aren't
// arrays: their __array_interface__ has the address of a temporary copy.
nb::object as_array(nb::handle value) {
  if (nb::isinstance(value, numpy().attr("ndarray"))) return nb::borrow(value);
  return call_python(nb::module_::import_("assay.util.array").attr("to_numpy"), nb::make_tuple(value));
}

// Keeps a Python object alive until the last tensor that uses its memory is released, by whichever thread.
std::shared_ptr<const void> owner_of(nb::object object) {
  return {object.release().ptr(), [](PyObject* held) {
            if (!nb::is_alive()) return;  // the interpreter has ended, and its memory with it
            const GilAcquire gil;
            nb::handle(held).dec_ref();
          }};
}

Tensor strings_of(const nb::object& array, tensor::Shape shape) {
  std::vector<std::string> values;
  for (const nb::handle value : nb::list(array.attr("ravel")().attr("tolist")())) {
    values.push_back(PyBytes_Check(value.ptr()) != 0 ? std::string(nb::cast<nb::bytes>(value).c_str(), nb::len(value))
                                                     : nb::cast<std::string>(nb::str(value)));
  }
  return unwrap(Tensor::make_strings(std::move(shape), std::move(values)));
}

nb::object with_strings(const Tensor& tensor) {
  nb::list values;
  for (const std::string& value : tensor.strings()) values.append(to_text(value));
  const nb::module_ np = numpy();
  nb::object array = np.attr("empty")(tensor.size(), nb::arg("dtype") = "object");
  array.attr("__setitem__")(nb::slice(nb::none(), nb::none(), nb::none()), values);
  return array.attr("reshape")(nb::cast(tensor.shape()));
}

nb::object to_dtype(ElementType type) {
  const auto* const ml = std::ranges::find(kMlTypes, type, &MlType::type);
  if (ml != std::end(kMlTypes)) return ml_dtype(ml->name);
  if (type == ElementType::string) return numpy().attr("dtype")("object");
  return numpy().attr("dtype")(nb::str(tensor::name(type).data(), tensor::name(type).size()));
}

}  // namespace

ElementType to_element_type(nb::handle dtype) {
  if (dtype.is_none()) return ElementType::undefined;
  return find_type(numpy().attr("dtype")(dtype));
}

Tensor to_tensor(nb::handle value) {
  const nb::module_ np = numpy();
  nb::object array = as_array(value);
  const nb::object dtype = array.attr("dtype");
  const ElementType type = find_type(dtype);
  auto shape = nb::cast<tensor::Shape>(array.attr("shape"));
  if (type == ElementType::string) return strings_of(array, std::move(shape));
  if (type == ElementType::undefined) {
    const auto name = nb::cast<std::string>(dtype.attr("name"));
    raise(base::Error{base::ErrorKind::invalid_input, "ONNX has no element type '" + name + "'", {}, "Cast the array"});
  }
  if (!nb::cast<bool>(dtype.attr("isnative")))
    array = call_python(array.attr("astype"), nb::make_tuple(to_dtype(type)));
  nb::object interface = array.attr("__array_interface__");
  if (!interface["strides"].is_none()) {
    array = call_python(np.attr("ascontiguousarray"), nb::make_tuple(array));
    interface = array.attr("__array_interface__");
  }
  const auto address = nb::cast<std::uintptr_t>(interface["data"][0]);
  const auto size = nb::cast<std::size_t>(array.attr("nbytes"));
  const std::span bytes(reinterpret_cast<const std::byte*>(address), size);  // NOLINT(performance-no-int-to-ptr)
  const std::size_t bits = tensor::info(type).bits;
  if (bits < 8) {
    return unwrap(Tensor::make(type, std::move(shape), tensor::Buffer::own(tensor::pack(bytes, bits))));
  }
  return unwrap(Tensor::make(type, std::move(shape), tensor::Buffer(bytes, owner_of(std::move(array)))));
}

tensor::NamedTensors to_tensors(const nb::dict& arrays) {
  tensor::NamedTensors tensors;
  for (const auto& [name, array] : arrays) tensors.set(nb::cast<std::string>(name), to_tensor(array));
  return tensors;
}

nb::object to_array(const Tensor& tensor) {
  if (tensor.type() == ElementType::string) return with_strings(tensor);
  tensor::Buffer buffer = tensor.buffer();
  const std::size_t bits = tensor::info(tensor.type()).bits;
  if (bits < 8) buffer = tensor::Buffer::own(tensor::unpack(buffer.bytes(), tensor.size(), bits));
  const std::span<const std::byte> bytes = buffer.bytes();
  const auto release = [](void* held) noexcept { delete static_cast<tensor::Buffer*>(held); };
  const nb::capsule owner(new tensor::Buffer(buffer), release);  // NOLINT(cppcoreguidelines-owning-memory)
  auto* const data = const_cast<std::byte*>(bytes.data());       // NOLINT(cppcoreguidelines-pro-type-const-cast)
  const nb::object memory = nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(data, {bytes.size()}, owner));
  // unpack() leaves the upper bits of each byte zero. ml_dtypes ignores these bits, so negative values are right, too.
  return numpy().attr("ndarray")(nb::tuple(nb::cast(tensor.shape())), to_dtype(tensor.type()), memory);
}

nb::dict to_arrays(const tensor::NamedTensors& tensors) {
  nb::dict arrays;
  for (const auto& [name, tensor] : tensors) arrays[to_text(name)] = to_array(tensor);
  return arrays;
}

void bind_arrays(nb::module_& module) {
  module.def(
      "round_trip", [](nb::handle array) { return to_array(to_tensor(array)); },
      "Returns an array that shares the memory of another one. For tests.");
  module.def(
      "dtype_name", [](nb::handle dtype) { return std::string(tensor::name(to_element_type(dtype))); },
      "Returns ONNX's name of a NumPy type, in lower case, or \"\".");
}

}  // namespace assay::python
