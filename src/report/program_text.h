// What programs in Python and C++ are told, as text of those languages.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace assay::report {

// A constant of both programs: INTRA_OP_THREADS in Python is kIntraOpThreads in C++.
struct Setting {
  std::string name;  // as Python has it
  std::variant<bool, int, std::string, std::vector<std::string>, std::map<std::string, std::string>,
               std::map<std::string, double>>
      value;
  std::string comment{};  // may be empty
};

// A line for each; any bytes may be in a string.
std::string python_settings(const std::vector<Setting>& settings);
std::string cpp_settings(const std::vector<Setting>& settings);

std::string python_string(std::string_view text);
std::string cpp_string(std::string_view text);

// "1, 2, 3"
std::string list_numbers(const std::vector<std::int64_t>& numbers);

}  // namespace assay::report
