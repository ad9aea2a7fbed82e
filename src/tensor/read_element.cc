// All floating types but float8e8m0 are sign, exponent, mantissa with different widths, so one table and one function
// decode them. Sources: IEEE 754 for float16, the ONNX documents on float8, float4 and float6 for the others.
#include "tensor/read_element.h"

#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace assay::tensor {
namespace {

enum class Specials {
  ieee,           // the highest exponent means infinity (mantissa zero) or NaN
  all_ones,       // only the pattern with all bits set (besides the sign) is NaN, no infinity
  negative_zero,  // the pattern of -0 is NaN, no infinity
  none,
};

struct FloatFormat {
  ElementType type;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;
};

constexpr std::array kFormats = {
    FloatFormat{ElementType::float16, 5, 10, 15, Specials::ieee},
    FloatFormat{ElementType::bfloat16, 8, 7, 127, Specials::ieee},
    FloatFormat{ElementType::float8e4m3fn, 4, 3, 7, Specials::all_ones},
    FloatFormat{ElementType::float8e4m3fnuz, 4, 3, 8, Specials::negative_zero},
    FloatFormat{ElementType::float8e5m2, 5, 2, 15, Specials::ieee},
    FloatFormat{ElementType::float8e5m2fnuz, 5, 2, 16, Specials::negative_zero},
    FloatFormat{ElementType::float4e2m1, 2, 1, 1, Specials::none},
    FloatFormat{ElementType::float6e2m3, 2, 3, 1, Specials::none},
    FloatFormat{ElementType::float6e3m2, 3, 2, 3, Specials::none},
};

double decode(const FloatFormat& format, std::uint32_t bits) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const std::uint32_t mantissa_ones = (1U << format.mantissa_bits) - 1;
  const std::uint32_t exponent_ones = (1U << format.exponent_bits) - 1;
  const std::uint32_t mantissa = bits & mantissa_ones;
  const std::uint32_t exponent = (bits >> format.mantissa_bits) & exponent_ones;
  const bool negative = ((bits >> (format.mantissa_bits + format.exponent_bits)) & 1U) != 0;
  if (format.specials == Specials::ieee && exponent == exponent_ones) {
    if (mantissa != 0) return kNan;
    return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
  if (format.specials == Specials::all_ones && exponent == exponent_ones && mantissa == mantissa_ones) return kNan;
  if (format.specials == Specials::negative_zero && negative && exponent == 0 && mantissa == 0) return kNan;
  const double fraction = static_cast<double>(mantissa) / static_cast<double>(mantissa_ones + 1);
  const double value = exponent == 0 ? std::ldexp(fraction, 1 - format.bias)
                                     : std::ldexp(1 + fraction, static_cast<int>(exponent) - format.bias);
  return negative ? -value : value;
}

// The bits of an element of at most 16 bits; elements below 8 bits are packed, low bits first.
std::uint32_t small_bits(const Tensor& tensor, std::uint64_t index) {
  const std::size_t width = info(tensor.type()).bits;
  if (width == 16) return tensor.load<std::uint16_t>(index);
  if (width == 8) return tensor.load<std::uint8_t>(index);
  const std::uint64_t bit = index * width;
  const std::span<const std::byte> bytes = tensor.bytes();
  auto two = static_cast<std::uint32_t>(bytes[bit / 8]);
  if (bit / 8 + 1 < bytes.size()) two |= static_cast<std::uint32_t>(bytes[bit / 8 + 1]) << 8;
  return (two >> (bit % 8)) & ((1U << width) - 1);
}

double read_small_floating(const Tensor& tensor, std::uint64_t index) {
  const std::uint32_t bits = small_bits(tensor, index);
  if (tensor.type() == ElementType::float8e8m0) {
    return bits == 0xff ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, static_cast<int>(bits) - 127);
  }
  for (const FloatFormat& format : kFormats) {
    if (format.type == tensor.type()) return decode(format, bits);
  }
  assert(false && "not a floating type");
  return 0;
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
  return read_small_floating(tensor, index);
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
