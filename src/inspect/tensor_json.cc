#include "inspect/tensor_json.h"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tensor/convert.h"

namespace assay::inspect {
namespace {

using Json = nlohmann::ordered_json;

Json integer(const tensor::Tensor& tensor, std::uint64_t index) {
  std::int64_t value = 0;
  tensor::read_integers(tensor, index, {&value, 1});
  if (tensor.type() == tensor::ElementType::boolean) return value != 0;
  if (tensor.type() == tensor::ElementType::uint64) return static_cast<std::uint64_t>(value);
  return value;
}

Json floating(const tensor::Tensor& tensor, std::uint64_t index) {
  double value = 0;
  tensor::read_doubles(tensor, index, {&value, 1});
  return tensor.type() == tensor::ElementType::float64 ? number_json(value) : number_json(static_cast<float>(value));
}

template <class T>
Json complex(const tensor::Tensor& tensor, std::uint64_t index) {
  const auto value = tensor.load<std::complex<T>>(index);
  return Json::array({number_json(value.real()), number_json(value.imag())});
}

}  // namespace

Json number_json(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return value;
}

Json number_json(float value) {
  if (!std::isfinite(value)) return number_json(static_cast<double>(value));
  return std::strtod(fmt::format("{}", value).c_str(), nullptr);
}

Json element_json(const tensor::Tensor& tensor, std::uint64_t index) {
  using Kind = tensor::ElementKind;
  switch (tensor::info(tensor.type()).kind) {
    case Kind::boolean:
    case Kind::signed_integer:
    case Kind::unsigned_integer:
      return integer(tensor, index);
    case Kind::floating:
      return floating(tensor, index);
    case Kind::complex:
      return tensor.type() == tensor::ElementType::complex128 ? complex<double>(tensor, index)
                                                              : complex<float>(tensor, index);
    case Kind::string:
      return tensor.strings()[index];
    case Kind::none:
      break;
  }
  return nullptr;
}

void write_json(tensor::JsonWriter& json, const Json& value) {
  if (value.is_object()) {
    json.begin_object();
    for (const auto& [name, member] : value.items()) {
      json.key(name);
      write_json(json, member);
    }
    json.end_object();
  } else if (value.is_array()) {
    json.begin_array();
    for (const Json& item : value) write_json(json, item);
    json.end_array();
  } else if (value.is_string()) {
    json.string(value.get_ref<const std::string&>());
  } else if (value.is_boolean()) {
    json.boolean(value.get<bool>());
  } else if (value.is_number_unsigned()) {
    json.unsigned_integer(value.get<std::uint64_t>());
  } else if (value.is_number_integer()) {
    json.integer(value.get<std::int64_t>());
  } else if (value.is_number()) {
    json.number(value.get<double>());
  } else {
    json.null();
  }
}

}  // namespace assay::inspect
