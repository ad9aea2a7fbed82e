// Two steps. First every element that will be shown becomes a word of one width: numbers are lined up at the point, and
// all of them get an exponent where their magnitudes are too far apart. Then the words are set in rows.
#include "tensor/format_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>

#include "tensor/convert.h"

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

constexpr std::size_t kMaxRank = 64;  // what numpy allows; a file may say anything

// Positions along one dimension that are shown; kGap stands for "...".
constexpr std::int64_t kGap = -1;
std::vector<std::int64_t> shown_positions(std::int64_t length, bool shortened, std::size_t edge) {
  std::vector<std::int64_t> positions;
  const auto ends = static_cast<std::int64_t>(edge);
  for (std::int64_t i = 0; i < length; ++i) {
    if (shortened && length > 2 * ends && i == ends) {
      positions.push_back(kGap);
      i = length - ends;
      if (i == length) break;
    }
    positions.push_back(i);
  }
  return positions;
}

// Digits of one number: the fewest that round-trip in the type it is given (std::to_chars), but at most `precision`
// behind the point where it is not negative; with `always`, as many as that.
template <class T>
std::string digits(T value, std::chars_format format, int precision, bool always = false) {
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

// "12.5" as its parts; the exponent with its 'e'.
struct Number {
  std::string whole, fraction, exponent;
};

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

// The decimal number with the fewest digits that a float16 reader would take for `value`, found as numpy does: digits
// are written until what is left, or what is missing to the next higher last digit, is within half the distance to the
// neighbouring float16 (10 bits of mantissa, exponents from -14 on); a number with an even mantissa also owns the point
// in the middle. Exact: a float16 is a whole number of 2^-24, and 128 bits hold that times 10^14.
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

  int decimals = -4;  // of the digit that is written; float16 goes to 65504
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

// Types for which NumberLayout knows the shortest digits; all others are written as the float that they stand for.
enum class Digits { of_float16, of_float, of_double };

// How the numbers of one array are written: decided by all that are shown.
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
      // As many digits for all, and these are the value's own, also behind the shortest that tell it apart.
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

// Above this, even alone, a number is written with an exponent: the digits that the type has.
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

// As Python's repr writes a string, with bytes that are no text as \\x escapes.
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

// Characters, not bytes, of a UTF-8 text.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
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
  std::size_t width = tensor.type() == ElementType::boolean ? 5 : 0;  // "False", whether one is there or not
  for (const std::string& word : words) width = std::max(width, word.size());
  for (std::string& word : words) word.insert(0, width - word.size(), ' ');
  return words;
}

// Sets words in brackets and rows. Takes the words in the order in which it comes to them.
class Setter {
 public:
  Setter(const Tensor& tensor, const ArrayLayout& layout)
      : shape_(tensor.shape()), layout_(layout), shortened_(tensor.size() > layout.threshold) {
    collect(0, 0);
    words_ = element_words(tensor, indices_, layout.precision);
  }

  std::string text() { return set(0, layout_.line_width); }

 private:
  void collect(std::size_t axis, std::uint64_t index) {
    if (axis == shape_.size()) {
      indices_.push_back(index);
      return;
    }
    for (const std::int64_t position : shown_positions(shape_[axis], shortened_, layout_.edge_items)) {
      if (position == kGap) continue;
      collect(axis + 1, index * static_cast<std::uint64_t>(shape_[axis]) + static_cast<std::uint64_t>(position));
    }
  }

  std::string set(std::size_t axis, std::size_t width) {
    const std::string margin(axis + 1, ' ');  // below the first character behind the brackets
    const auto positions = shown_positions(shape_[axis], shortened_, layout_.edge_items);
    return axis + 1 == shape_.size() ? row(positions, margin, width - 1) : block(positions, margin, axis, width);
  }

  // The innermost dimension: words with a space between, broken where a line is full.
  std::string row(const std::vector<std::int64_t>& positions, const std::string& margin, std::size_t width) {
    std::string text;
    std::string line = margin;
    std::size_t used = margin.size();
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const std::string word = positions[i] == kGap ? "..." : words_[next_++];
      if (used + width_of(word) > width && used > margin.size()) {
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
        line = margin;
        used = margin.size();
      }
      line += word;
      used += width_of(word);
      if (i + 1 < positions.size()) {
        line += ' ';
        ++used;
      }
    }
    text += line;
    return "[" + text.substr(margin.size()) + "]";
  }

  std::string block(const std::vector<std::int64_t>& positions, const std::string& margin, std::size_t axis,
                    std::size_t width) {
    const std::string breaks(shape_.size() - axis - 1, '\n');
    std::string text = "[";
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (i > 0) text += breaks + margin;
      text += positions[i] == kGap ? "..." : set(axis + 1, width - 1);
    }
    return text + "]";
  }

  const Shape& shape_;
  const ArrayLayout& layout_;
  bool shortened_;
  std::vector<std::uint64_t> indices_;
  Words words_;
  std::size_t next_ = 0;
};

// Python's rule for a number that stands alone: an exponent below 1e-4 and from `limit` on.
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

// "(1.5-2j)", "2j".
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

}  // namespace

std::string format_array(const Tensor& tensor, const ArrayLayout& layout) {
  if (tensor.size() == 0) return "[]";
  if (tensor.shape().empty()) return single_text(tensor);
  if (tensor.shape().size() > kMaxRank) return fmt::format("<{} dimensions>", tensor.shape().size());
  return Setter(tensor, layout).text();
}

std::string format_scalar(float value) {
  return scalar_text(value, 1e6);
}
std::string format_scalar(double value) {
  return scalar_text(value, 1e16);
}

}  // namespace assay::tensor
