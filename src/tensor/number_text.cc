// std::to_chars finds the shortest digits of float and double. float16 has no such function, so shortest_float16()
// implements the same search for it: the shortest decimal number inside the interval that rounds to the value.
#include "tensor/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace assay::tensor {

template <class T>
std::string digits(T value, std::chars_format format, int precision, bool always) {
  // A double in fixed notation has up to 309 digits before the point.
  std::array<char, 400> buffer = {};
  auto end = std::to_chars(buffer.begin(), buffer.end(), value, format).ptr;
  std::string text(buffer.begin(), end);
  const std::size_t point = text.find('.');
  const std::size_t stop = std::min(text.find('e'), text.size());
  const std::size_t behind = point == std::string::npos ? 0 : stop - point - 1;
  if (!always && (precision < 0 || behind <= static_cast<std::size_t>(precision))) return text;
  end = std::to_chars(buffer.begin(), buffer.end(), value, format, precision).ptr;
  return {buffer.begin(), end};
}

template std::string digits(float, std::chars_format, int, bool);
template std::string digits(double, std::chars_format, int, bool);

Number split_number(const std::string& text) {
  Number number;
  const std::size_t e = std::min(text.find('e'), text.size());
  const std::size_t point = std::min(text.find('.'), e);
  number.whole = text.substr(0, point);
  if (point < e) number.fraction = text.substr(point + 1, e - point - 1);
  while (!number.fraction.empty() && number.fraction.back() == '0') number.fraction.pop_back();
  number.exponent = text.substr(e);
  return number;
}

// Produces digits, as numpy does, until the remainder, or the distance to the next higher last digit, is within half
// the distance to the neighbouring float16 (10 bits of mantissa, exponents from -14 on). If the mantissa is even, the
// midpoint also rounds to the value. The arithmetic is exact: a float16 is an integer multiple of 2^-24, and that
// integer times 10^14 fits in 128 bits.
double shortest_float16(double value) {
  if (!std::isfinite(value) || value == 0) return value;
  const int exponent = std::max(std::ilogb(value), -14);
  const double above = std::ldexp(1.0, exponent - 10);
  const bool power = std::abs(value) == std::ldexp(1.0, exponent) && exponent > -14;
  const bool even = std::fmod(std::abs(value) / above, 2) == 0;
  constexpr __int128 kTen14 = 100'000'000'000'000;
  const auto scaled = [](double number) { return static_cast<__int128>(std::ldexp(std::abs(number), 24)) * kTen14; };
  const __int128 whole = scaled(value);
  const __int128 margin_above = scaled(above) / 2;
  const __int128 margin_below = power ? margin_above / 2 : margin_above;

  int decimals = -4;  // position of the current digit after the point; the largest float16 is 65504
  __int128 unit = kTen14 * (__int128{1} << 24) * 10'000;
  while (unit > whole) unit /= 10, ++decimals;
  for (;; unit /= 10, ++decimals) {
    const __int128 digits = whole / unit;
    const __int128 left = whole % unit;
    const __int128 missing = unit - left;
    const bool low = left < margin_below || (even && left == margin_below);
    const bool high = missing < margin_above || (even && missing == margin_above);
    if (!low && !high && left != 0) continue;
    const bool down = low != high ? low : left < missing || (left == missing && digits % 2 == 0);
    const auto number = static_cast<std::int64_t>(down ? digits : digits + 1);
    const std::string text = fmt::format("{}e{}", number, -decimals);
    double result = value;
    std::from_chars(text.data(), text.data() + text.size(), result);
    return std::copysign(result, value);
  }
}

template <class T>
std::string scalar_text(T value, double limit) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const double magnitude = std::abs(static_cast<double>(value));
  if (magnitude != 0 && (magnitude < 1e-4 || magnitude >= limit)) {
    const Number number = split_number(digits(value, std::chars_format::scientific, -1));
    return number.whole + (number.fraction.empty() ? "" : "." + number.fraction) + number.exponent;
  }
  const Number number = split_number(digits(value, std::chars_format::fixed, -1));
  return number.whole + "." + (number.fraction.empty() ? "0" : number.fraction);
}

template std::string scalar_text(float, double);
template std::string scalar_text(double, double);

std::string format_scalar(float value) {
  return scalar_text(value, 1e6);
}
std::string format_scalar(double value) {
  return scalar_text(value, 1e16);
}

}  // namespace assay::tensor
