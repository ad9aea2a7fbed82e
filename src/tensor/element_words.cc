// Follows numpy's rules for arrays. All numbers that are shown decide together whether they get exponents (if one is
// large or small, or they differ by more than a factor of 1000) and how many digits stand before and after the point.
// Each number then gets the fewest digits that identify it in its own type, padded to the common widths.
#include "tensor/element_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <limits>
#include <string_view>

#include "tensor/convert.h"
#include "tensor/number_text.h"

namespace assay::tensor {
namespace {

using Words = std::vector<std::string>;

double read_floating(const Tensor& tensor, std::uint64_t index) {
  double value = 0;
  read_doubles(tensor, index, {&value, 1});
  return value;
}

std::int64_t read_integer(const Tensor& tensor, std::uint64_t index) {
  std::int64_t value = 0;
  read_integers(tensor, index, {&value, 1});
  return value;
}

std::complex<double> read_complex(const Tensor& tensor, std::uint64_t index) {
  if (tensor.type() == ElementType::complex128) return tensor.load<std::complex<double>>(index);
  const auto value = tensor.load<std::complex<float>>(index);
  return {value.real(), value.imag()};
}

// The type whose shortest digits identify a value; types that aren't listed are formatted as float32.
enum class Digits { of_float16, of_float, of_double };

// The layout of the numbers of one array, derived from all numbers that are shown.
class NumberLayout {
 public:
  NumberLayout(const std::vector<double>& values, Digits shortest, int precision, double largest_plain,
               bool always_sign)
      : shortest_(shortest), precision_(precision), always_sign_(always_sign) {
    double largest = 0;
    double smallest = std::numeric_limits<double>::infinity();
    for (const double value : values) {
      if (!std::isfinite(value) || value == 0) continue;
      largest = std::max(largest, std::abs(value));
      smallest = std::min(smallest, std::abs(value));
    }
    exponents_ = largest > 0 && (largest >= largest_plain || smallest < 1e-4 || largest / smallest > 1000);
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      const Number number = write(value);
      whole_ = std::max(whole_, number.whole.size());
      fraction_ = std::max(fraction_, number.fraction.size());
      exponent_ = std::max(exponent_, number.exponent.size());
    }
    width_ = whole_ + 1 + fraction_ + exponent_;
    for (const double value : values) {
      if (!std::isfinite(value)) width_ = std::max(width_, special(value).size());
    }
    whole_ = width_ - 1 - fraction_ - exponent_;
  }

  [[nodiscard]] std::string operator()(double value) const {
    if (!std::isfinite(value)) return fmt::format("{:>{}}", special(value), width_);
    Number number = write(value);
    if (exponents_) {
      // All numbers get the same count of digits. They are the exact value's digits, not the shortest ones and zeros.
      const std::string exact = digits(value, std::chars_format::scientific, static_cast<int>(fraction_), true);
      number = with_sign(split_number(exact), value);
      number.fraction.resize(fraction_, '0');
      const std::string sign = number.exponent.substr(0, 2);
      number.exponent = fmt::format("{}{:0>{}}", sign, number.exponent.substr(2), exponent_ - 2);
    }
    return fmt::format("{:>{}}.{:<{}}{}", number.whole, whole_, number.fraction, fraction_, number.exponent);
  }

 private:
  [[nodiscard]] Number write(double value) const {
    const auto format = exponents_ ? std::chars_format::scientific : std::chars_format::fixed;
    const std::string text = shortest_ == Digits::of_double  ? digits(value, format, precision_)
                             : shortest_ == Digits::of_float ? digits(static_cast<float>(value), format, precision_)
                                                             : digits(shortest_float16(value), format, precision_);
    return with_sign(split_number(text), value);
  }
  [[nodiscard]] Number with_sign(Number number, double value) const {
    if (always_sign_ && !std::signbit(value)) number.whole.insert(0, "+");
    return number;
  }
  [[nodiscard]] std::string special(double value) const {
    const std::string text = std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    return always_sign_ && text[0] != '-' ? "+" + text : text;
  }

  Digits shortest_;
  int precision_;
  bool always_sign_;
  bool exponents_ = false;
  std::size_t whole_ = 0, fraction_ = 0, exponent_ = 0, width_ = 0;
};

// From this magnitude on, all numbers of an array get an exponent. It depends on the digits that the type can hold.
double largest_plain(ElementType type) {
  if (type == ElementType::float16) return 1e3;
  return type == ElementType::float64 || type == ElementType::complex128 ? 1e8 : 1e6;
}

Digits digits_of(ElementType type) {
  if (type == ElementType::float16) return Digits::of_float16;
  return type == ElementType::float64 || type == ElementType::complex128 ? Digits::of_double : Digits::of_float;
}

Words number_words(const std::vector<double>& values, ElementType type, int precision, bool always_sign) {
  const NumberLayout layout(values, digits_of(type), precision, largest_plain(type), always_sign);
  Words words;
  for (const double value : values) words.push_back(layout(value));
  return words;
}

// Quotes a string as Python's repr does, with control characters as \\x escapes.
std::string quoted(const std::string& text) {
  const char quote = text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
  std::string result(1, quote);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') result += '\\';
    if (const std::size_t escape = std::string_view("\n\r\t").find(c); escape != std::string_view::npos) {
      result += {'\\', "nrt"[escape]};
    } else if (byte < 0x20 || byte == 0x7F) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result + quote;
}

Words complex_words(const Tensor& tensor, const std::vector<std::uint64_t>& indices, int precision) {
  std::vector<double> real;
  std::vector<double> imaginary;
  for (const std::uint64_t index : indices) {
    const std::complex<double> value = read_complex(tensor, index);
    real.push_back(value.real());
    imaginary.push_back(value.imag());
  }
  Words words = number_words(real, tensor.type(), precision, false);
  const Words second = number_words(imaginary, tensor.type(), precision, true);
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] += second[i];
    words[i].insert(words[i].find_last_not_of(' ') + 1, "j");
  }
  return words;
}

// Formats a complex number as Python does: "(1.5-2j)", "2j".
template <class T>
std::string complex_text(T real, T imaginary) {
  const auto part = [](T value) {
    std::string text = format_scalar(value);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
  };
  if (real == 0 && !std::signbit(real)) return part(imaginary) + "j";
  const bool plus = std::isnan(imaginary) || !std::signbit(imaginary);
  return fmt::format("({}{}{}j)", part(real), plus ? "+" : "", part(imaginary));
}

}  // namespace

Words element_words(const Tensor& tensor, const std::vector<std::uint64_t>& indices, int precision) {
  Words words;
  std::vector<double> values;
  for (const std::uint64_t index : indices) {
    switch (info(tensor.type()).kind) {
      case ElementKind::boolean:
        words.emplace_back(read_integer(tensor, index) != 0 ? "True" : "False");
        break;
      case ElementKind::signed_integer:
        words.push_back(fmt::format("{}", read_integer(tensor, index)));
        break;
      case ElementKind::unsigned_integer:
        words.push_back(fmt::format("{}", static_cast<std::uint64_t>(read_integer(tensor, index))));
        break;
      case ElementKind::string:
        words.push_back(quoted(tensor.strings()[index]));
        break;
      case ElementKind::floating:
        values.push_back(read_floating(tensor, index));
        break;
      default:
        break;
    }
  }
  if (!values.empty()) return number_words(values, tensor.type(), precision, false);
  if (info(tensor.type()).kind == ElementKind::complex) return complex_words(tensor, indices, precision);
  if (info(tensor.type()).kind == ElementKind::string) return words;
  std::size_t width = tensor.type() == ElementType::boolean ? 5 : 0;  // as for "False", even if all are "True"
  for (const std::string& word : words) width = std::max(width, word.size());
  for (std::string& word : words) word.insert(0, width - word.size(), ' ');
  return words;
}

std::string single_text(const Tensor& tensor) {
  switch (tensor.type()) {
    case ElementType::float64:
      return format_scalar(tensor.load<double>(0));
    case ElementType::float16:
      return scalar_text(shortest_float16(read_floating(tensor, 0)), 1e3);
    case ElementType::complex64:
      return complex_text(tensor.load<float>(0), tensor.load<float>(1));
    case ElementType::complex128:
      return complex_text(tensor.load<double>(0), tensor.load<double>(1));
    case ElementType::boolean:
      return read_integer(tensor, 0) != 0 ? "True" : "False";
    case ElementType::string:
      return tensor.strings()[0];
    default:
      break;
  }
  if (info(tensor.type()).kind == ElementKind::floating) {
    return format_scalar(static_cast<float>(read_floating(tensor, 0)));
  }
  const Words words = element_words(tensor, {0}, -1);
  return words.empty() ? "" : words[0];
}

}  // namespace assay::tensor
