// One encoder and one decoder serve all types with a sign, an exponent and a mantissa: a table row holds the widths,
// the bias, and which codes are infinity or NaN. The decoder needn't be fast: convert.cc builds tables from it. The
// encoder is called for each element, so it scales by multiplication, which is much faster than std::ldexp().
// float8e8m0 is a bare power of two and has functions of its own.
#include "tensor/minifloat.h"

#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>

namespace assay::tensor {
namespace {

using enum ElementType;

// Says which codes aren't finite numbers.
enum class Special {
  ieee,               // the largest exponent: infinity (mantissa 0) and NaN
  nan_only,           // all bits except the sign set: NaN; no infinity
  nan_at_minus_zero,  // only the code of -0 is NaN; no infinity, no -0
  none,               // all codes are finite numbers
};

struct Format {
  ElementType type;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Special special;
};

constexpr std::array kFormats = {
    Format{float16, 5, 10, 15, Special::ieee},        Format{bfloat16, 8, 7, 127, Special::ieee},
    Format{float8e4m3fn, 4, 3, 7, Special::nan_only}, Format{float8e4m3fnuz, 4, 3, 8, Special::nan_at_minus_zero},
    Format{float8e5m2, 5, 2, 15, Special::ieee},      Format{float8e5m2fnuz, 5, 2, 16, Special::nan_at_minus_zero},
    Format{float6e2m3, 2, 3, 1, Special::none},       Format{float6e3m2, 3, 2, 3, Special::none},
    Format{float4e2m1, 2, 1, 1, Special::none},
};

const Format* find(ElementType type) {
  for (const Format& format : kFormats) {
    if (format.type == type) return &format;
  }
  return nullptr;
}

// float8e8m0 is a power of two, without sign or zero.
double decode_power(std::uint16_t code) {
  return code == 0xFF ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, code - 127);
}

std::uint16_t encode_power(double value) {
  if (!(value > 0) || std::isinf(value)) return 0xFF;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);  // [0.5, 1)
  exponent -= 1;
  if (fraction >= 0.75) exponent += 1;  // ties round up, as in ml_dtypes: without a mantissa, none is even
  if (exponent > 127) return 0xFF;
  return static_cast<std::uint16_t>(exponent < -127 ? 0 : exponent + 127);
}

constexpr int kDoubleBias = 1023;
constexpr int kDoubleMantissaBits = 52;

// Returns 2^exponent, which must be a normal double.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kDoubleBias) << kDoubleMantissaBits);
}

// The codes of values that aren't finite numbers.
struct SpecialCodes {
  int not_a_number;
  int too_large;  // without the sign: infinity, else NaN, else the largest number
};

// `sign` is the sign bit of the value, at position `sign_shift`.
SpecialCodes special_codes(const Format& format, int sign_shift, int sign) {
  const int magnitude_mask = (1 << sign_shift) - 1;
  const int infinity = magnitude_mask & ~((1 << format.mantissa_bits) - 1);
  switch (format.special) {
    case Special::ieee:
      return {sign | infinity | 1 << (format.mantissa_bits - 1), infinity};
    case Special::nan_only:
      return {sign | magnitude_mask, magnitude_mask};
    case Special::nan_at_minus_zero:
      return {1 << sign_shift, magnitude_mask + 1};
    case Special::none:
      break;
  }
  return {sign ^ (1 << sign_shift), magnitude_mask};
}

}  // namespace

bool is_minifloat(ElementType type) {
  return type == float8e8m0 || find(type) != nullptr;
}

double decode_minifloat(ElementType type, std::uint16_t code) {
  if (type == float8e8m0) return decode_power(code);
  const Format* format = find(type);
  assert(format != nullptr);
  const int mantissa = code & ((1 << format->mantissa_bits) - 1);
  const int exponent = (code >> format->mantissa_bits) & ((1 << format->exponent_bits) - 1);
  const bool negative = ((code >> (format->mantissa_bits + format->exponent_bits)) & 1) != 0;
  const int largest = (1 << format->exponent_bits) - 1;
  const int all_ones = (1 << format->mantissa_bits) - 1;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

  if (format->special == Special::ieee && exponent == largest) {
    const double special = mantissa == 0 ? std::numeric_limits<double>::infinity() : kNan;
    return negative ? -special : special;
  }
  if (format->special == Special::nan_only && exponent == largest && mantissa == all_ones)
    return negative ? -kNan : kNan;
  if (format->special == Special::nan_at_minus_zero && negative && exponent == 0 && mantissa == 0) return kNan;

  const int implicit = exponent == 0 ? 0 : 1 << format->mantissa_bits;
  const int scale = (exponent == 0 ? 1 : exponent) - format->bias - format->mantissa_bits;
  const double magnitude = std::ldexp(implicit + mantissa, scale);
  return negative ? -magnitude : magnitude;
}

std::uint16_t encode_minifloat(ElementType type, double value) {
  if (type == float8e8m0) return encode_power(value);
  const Format* format = find(type);
  assert(format != nullptr);
  const int sign_shift = format->mantissa_bits + format->exponent_bits;
  const int sign = static_cast<int>(std::signbit(value)) << sign_shift;
  const auto [not_a_number, too_large] = special_codes(*format, sign_shift, sign);
  if (std::isnan(value)) return static_cast<std::uint16_t>(not_a_number);

  int code = 0;
  if (std::isinf(value)) {
    code = too_large;
  } else if (value != 0) {
    const double magnitude = std::fabs(value);
    // As stored. A subnormal double has a smaller exponent, but it is too small for all types anyway.
    const int exponent =
        static_cast<int>(std::bit_cast<std::uint64_t>(magnitude) >> kDoubleMantissaBits) - kDoubleBias + format->bias;
    const int stored = exponent < 1 ? 1 : exponent;
    // The value in units of the last place, rounded to the nearest, ties to even (the default mode). A value that
    // rounds up to the next power of two carries into the exponent by itself.
    const double units = std::nearbyint(magnitude * power_of_two(format->bias + format->mantissa_bits - stored));
    const int whole = static_cast<int>(units) + ((stored - 1) << format->mantissa_bits);
    code = whole >= too_large ? too_large : whole;
  }
  if (format->special == Special::nan_at_minus_zero && (code == 0 || code == too_large)) {
    return static_cast<std::uint16_t>(code == 0 ? 0 : not_a_number);
  }
  return static_cast<std::uint16_t>(sign | code);
}

}  // namespace assay::tensor
