// Chooses the digits of floating-point numbers as Python and numpy do.
#pragma once

#include <charconv>
#include <string>

namespace assay::tensor {

// Returns the fewest digits that read back as the same T (std::to_chars). A `precision` that isn't negative limits the
// digits after the point; with `always`, exactly that many are written. T is float or double.
template <class T>
std::string digits(T value, std::chars_format format, int precision, bool always = false);

// The parts of a number such as "12.5e+07": the fraction without zeros at its end, the exponent with its 'e'.
struct Number {
  std::string whole, fraction, exponent;
};
Number split_number(const std::string& text);

// Returns the decimal number with the fewest digits that rounds to the float16 `value`, found as numpy does.
double shortest_float16(double value);

// Formats a single number: with an exponent below 1e-4 and from `limit` on, else with a point. T is float or double.
template <class T>
std::string scalar_text(T value, double limit);

// Returns the shortest text that reads back as the same value, as Python prints it: "1.0", "0.1", "1e-05", "nan".
std::string format_scalar(float value);
std::string format_scalar(double value);

}  // namespace assay::tensor
