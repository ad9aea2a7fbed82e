#include "tensor/parse_json.h"

#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json.hpp>

#include "tensor/escape_bytes.h"

namespace assay::tensor {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostNesting = 200;  // files have less than 10

bool is_nested_too_deep(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string && c == '\\') ++at;
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    if ((c == '[' || c == '{') && ++depth > kMostNesting) return true;
    if ((c == ']' || c == '}') && depth > 0) --depth;
  }
  return false;
}

}  // namespace

base::Expected<ordered_json> parse_json(std::string_view text) {
  ASSAY_TRY(check_json_nesting(text));
  try {
    return ordered_json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    return base::fail(base::ErrorKind::invalid_input, json_reason(error));
  }
}

base::Status check_json_nesting(std::string_view text) {
  if (!is_nested_too_deep(text) || !ordered_json::accept(text)) return {};
  return base::fail(base::ErrorKind::invalid_input,
                    fmt::format("lists and objects are nested more than {} deep", kMostNesting));
}

std::string json_reason(const std::exception& error) {
  const std::string_view text = error.what();  // "[json.exception.out_of_range.403] key 'state' not found"
  if (text.starts_with("[json.exception.type_error.")) return "a value has the wrong type";
  const std::size_t end = text.find("] ");
  return escape_bytes(text.starts_with("[json.") && end != std::string_view::npos ? text.substr(end + 2) : text);
}

}  // namespace assay::tensor
