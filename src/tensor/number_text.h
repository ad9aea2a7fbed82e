// The digits of floating-point numbers, as Python and numpy choose them.
#pragma once

#include <charconv>
#include <string>

namespace assay::tensor {

// Digits of one number: the fewest that round-trip in the type it is given (std::to_chars), but at most `precision`
// behind the point where it is not negative; with `always`, as many as that. T: float or double.
template <class T>
std::string digits(T value, std::chars_format format, int precision, bool always = false);

// "12.5" as its parts, without zeros at the end of the fraction; the exponent with its 'e'.
struct Number {
  std::string whole, fraction, exponent;
};
Number split_number(const std::string& text);

// The decimal number with the fewest digits that a float16 reader would take for `value`, found as numpy does.
double shortest_float16(double value);

// A number that stands alone: an exponent below 1e-4 and from `limit` on, else a point. T: float or double.
template <class T>
std::string scalar_text(T value, double limit);

}  // namespace assay::tensor
