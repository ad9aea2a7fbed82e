// Parses the values of TensorRT's settings. Errors are invalid_input and name the option.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace assay::tensorrt {

using Shape = std::vector<std::int64_t>;
using Shapes = std::map<std::string, Shape>;

// Parses "name:[1,3,224,224]". All sizes must be fixed: at least 0. Names may contain colons.
base::Expected<Shapes> parse_shapes(const std::vector<std::string>& words, std::string_view option);
// Parses shapes, and values of shape tensors: "target:[-1,4]". Only the network tells which of them it is.
base::Expected<Shapes> parse_shapes_or_values(const std::vector<std::string>& words, std::string_view option);

// Splits "name:value" at the last colon. Neither may be empty.
base::Expected<std::pair<std::string, std::string>> parse_pair(const std::string& word, std::string_view option);

// Returns an enumerator's name as TensorRT spells it, in capitals. TensorRT itself says whether there is such a one,
// since versions differ.
base::Expected<std::string> parse_enumerator(const std::string& word, std::string_view option);

// Returns the name of an element type in TensorRT's Python module: "float16".
base::Expected<std::string> parse_type(const std::string& word, std::string_view option);

// Parses the index of a `kind`, such as "profile".
base::Expected<int> parse_index(const std::string& word, std::string_view option, std::string_view kind);

// Returns the path for scripts, which may run in another folder.
std::string absolute_path(const std::string& file);

// A Python function of a file.
struct Script {
  std::string file;  // absolute path
  std::string function;
};
// Parses "FILE" or "FILE:FUNCTION".
Script parse_script(const std::string& word, std::string_view function);

}  // namespace assay::tensorrt
