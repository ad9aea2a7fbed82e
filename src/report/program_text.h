// Prints the constants of the generated programs as Python and C++.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/python_string.h"

namespace assay::report {

// A constant of both programs: INTRA_OP_THREADS in Python is kIntraOpThreads in C++.
struct Constant {
  std::string name;  // in Python's form
  std::variant<bool, int, std::string, std::vector<std::string>, std::map<std::string, std::string>,
               std::map<std::string, double>>
      value;
  std::string comment{};  // may be empty
};

// Return one line per constant. Strings may contain any bytes.
std::string python_constants(const std::vector<Constant>& constants);
std::string cpp_constants(const std::vector<Constant>& constants);

using base::python_string;
std::string cpp_string(std::string_view text);
// Returns the number as an expression; an infinity isn't a literal.
std::string python_number(double number);

// Returns a placeholder line of a template, "#@IMPORTS@" in Python and "//@IMPORTS@" in C++.
std::string mark(std::string_view comment, std::string_view name);
// Replaces the first occurrence of `what`, if there is one.
void replace_mark(std::string& text, const std::string& what, std::string_view with);

// An engine's part of a program: everything before the line `at` goes to the imports.
struct TemplatePart {
  std::string_view imports;
  std::string_view rest;
};
TemplatePart split_part(std::string_view part, const std::string& at);

// Returns "1, 2, 3".
std::string list_numbers(const std::vector<std::int64_t>& numbers);

}  // namespace assay::report
