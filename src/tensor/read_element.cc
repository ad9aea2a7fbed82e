#include "tensor/read_element.h"

#include "tensor/minifloat.h"
#include "tensor/packed.h"

namespace assay::tensor {
namespace {

// The bits of an element of at most 16 bits.
std::uint32_t small_bits(const Tensor& tensor, std::uint64_t index) {
  const std::size_t width = info(tensor.type()).bits;
  if (width == 16) return tensor.load<std::uint16_t>(index);
  if (width == 8) return tensor.load<std::uint8_t>(index);
  return load_packed(tensor.bytes(), index, width);
}

}  // namespace

double read_floating(const Tensor& tensor, std::uint64_t index) {
  switch (info(tensor.type()).kind) {
    case ElementKind::signed_integer:
    case ElementKind::boolean:
      return static_cast<double>(read_signed(tensor, index));
    case ElementKind::unsigned_integer:
      return static_cast<double>(read_unsigned(tensor, index));
    default:
      break;
  }
  if (tensor.type() == ElementType::float32) return tensor.load<float>(index);
  if (tensor.type() == ElementType::float64) return tensor.load<double>(index);
  return decode_minifloat(tensor.type(), static_cast<std::uint16_t>(small_bits(tensor, index)));
}

std::int64_t read_signed(const Tensor& tensor, std::uint64_t index) {
  switch (tensor.type()) {
    case ElementType::int64:
      return tensor.load<std::int64_t>(index);
    case ElementType::int32:
      return tensor.load<std::int32_t>(index);
    case ElementType::int16:
      return tensor.load<std::int16_t>(index);
    case ElementType::int8:
      return tensor.load<std::int8_t>(index);
    case ElementType::boolean:
      return tensor.load<std::uint8_t>(index) != 0 ? 1 : 0;
    default: {
      const auto width = static_cast<int>(info(tensor.type()).bits);
      const auto bits = static_cast<std::int32_t>(small_bits(tensor, index));
      return bits >= (1 << (width - 1)) ? bits - (1 << width) : bits;
    }
  }
}

std::uint64_t read_unsigned(const Tensor& tensor, std::uint64_t index) {
  switch (tensor.type()) {
    case ElementType::uint64:
      return tensor.load<std::uint64_t>(index);
    case ElementType::uint32:
      return tensor.load<std::uint32_t>(index);
    default:
      return small_bits(tensor, index);
  }
}

std::complex<double> read_complex(const Tensor& tensor, std::uint64_t index) {
  if (tensor.type() == ElementType::complex128) return tensor.load<std::complex<double>>(index);
  const auto value = tensor.load<std::complex<float>>(index);
  return {value.real(), value.imag()};
}

}  // namespace assay::tensor
