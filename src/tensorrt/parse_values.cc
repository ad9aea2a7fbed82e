#include "tensorrt/parse_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <filesystem>

#include "base/absolute_path.h"
#include "base/strings.h"

namespace assay::tensorrt {
namespace {

using base::ErrorKind;
using base::fail;

// The element types of TensorRT's Python module.
constexpr std::array kTypes = {"float32", "float16", "bfloat16", "fp8",  "fp4",  "int64",
                               "int32",   "int8",    "int4",     "bool", "uint8"};

base::Expected<std::int64_t> parse_size_of_axis(std::string_view text, bool can_be_negative, const std::string& word,
                                                std::string_view option) {
  const std::string_view digits = base::trim(text);
  std::int64_t size = -1;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  if (code != std::errc() || end != digits.data() + digits.size() || (size < 0 && !can_be_negative)) {
    return fail(ErrorKind::invalid_input,
                fmt::format("'{}' in '{}' isn't a fixed size, as profiles need", digits, word), std::string(option),
                "Write NAME:[1,3,224,224]");
  }
  return size;
}

base::Expected<Shapes> parse_lists(const std::vector<std::string>& words, bool can_be_negative,
                                   std::string_view option) {
  Shapes shapes;
  for (const std::string& word : words) {
    ASSAY_ASSIGN(const auto pair, parse_pair(word, option));
    std::string_view text = base::trim(pair.second);
    const bool bracketed = text.size() >= 2 &&
                           ((text.front() == '[' && text.back() == ']') || (text.front() == '(' && text.back() == ')'));
    if (!bracketed) {
      return fail(ErrorKind::invalid_input, fmt::format("'{}' isn't a shape", pair.second), std::string(option),
                  "Write NAME:[1,3,224,224]");
    }
    text = base::trim(text.substr(1, text.size() - 2));
    Shape& shape = shapes[pair.first];
    shape.clear();
    if (text.empty()) continue;
    for (const std::string& axis : base::split(text, ',')) {
      ASSAY_ASSIGN(const std::int64_t size, parse_size_of_axis(axis, can_be_negative, word, option));
      shape.push_back(size);
    }
  }
  return shapes;
}

}  // namespace

base::Expected<std::pair<std::string, std::string>> parse_pair(const std::string& word, std::string_view option) {
  const std::size_t colon = word.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == word.size()) {
    return fail(ErrorKind::invalid_input, fmt::format("'{}' lacks a name or a value", word), std::string(option),
                "Write NAME:VALUE");
  }
  return std::pair{word.substr(0, colon), word.substr(colon + 1)};
}

base::Expected<Shapes> parse_shapes(const std::vector<std::string>& words, std::string_view option) {
  return parse_lists(words, false, option);
}

base::Expected<Shapes> parse_shapes_or_values(const std::vector<std::string>& words, std::string_view option) {
  return parse_lists(words, true, option);
}

base::Expected<std::string> parse_enumerator(const std::string& word, std::string_view option) {
  std::string name;
  for (const char c : word) name.push_back(static_cast<char>(std::toupper(static_cast<unsigned char>(c))));
  const bool valid = !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
                     std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  if (valid) return name;
  return fail(ErrorKind::invalid_input, fmt::format("'{}' can't be a name in TensorRT", word), std::string(option));
}

base::Expected<std::string> parse_type(const std::string& word, std::string_view option) {
  const std::string name = base::to_lower(word);
  if (std::ranges::find(kTypes, name) != kTypes.end()) return name;
  const std::vector<std::string> names(kTypes.begin(), kTypes.end());
  return fail(ErrorKind::invalid_input, fmt::format("TensorRT has no type '{}'", word), std::string(option),
              "Use one of " + base::join(names, ", "));
}

base::Expected<int> parse_index(const std::string& word, std::string_view option, std::string_view kind) {
  int index = -1;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (code == std::errc() && end == word.data() + word.size() && index >= 0) return index;
  return fail(ErrorKind::invalid_input, fmt::format("'{}' isn't the index of a {}", word, kind), std::string(option),
              fmt::format("Each {} has a number, counted from 0", kind));
}

std::string absolute_path(const std::string& file) {
  return base::absolute_path(file).lexically_normal().string();
}

Script parse_script(const std::string& word, std::string_view function) {
  const std::size_t colon = word.rfind(':');
  const bool is_named = colon != std::string::npos && colon + 1 < word.size();
  const std::string file = is_named ? word.substr(0, colon) : word;
  return {absolute_path(file), is_named ? word.substr(colon + 1) : std::string(function)};
}

}  // namespace assay::tensorrt
