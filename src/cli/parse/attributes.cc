#include "cli/parse/attributes.h"

#include <fmt/format.h>
#include <onnx/defs/attr_proto_util.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <set>
#include <system_error>
#include <utility>
#include <variant>

#include "base/strings.h"

namespace assay::cli {
namespace {

using base::ErrorKind;
using base::Expected;
using base::fail;

using Value = std::variant<std::int64_t, float, std::string>;

// Reads all of `text` as a number; `result.ec` is the error, result_out_of_range included.
template <class Number>
std::errc read_number(std::string_view text, Number& number) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return end == text.data() + text.size() ? code : std::errc::invalid_argument;
}

Expected<Value> parse_value(std::string_view text) {
  const std::string_view trimmed = base::trim(text);
  const bool quoted = trimmed.size() >= 2 && (trimmed.front() == '\'' || trimmed.front() == '"');
  if (quoted && trimmed.back() == trimmed.front()) return std::string(trimmed.substr(1, trimmed.size() - 2));
  std::int64_t integer = 0;
  const std::errc as_integer = read_number(trimmed, integer);
  if (as_integer == std::errc::result_out_of_range) {
    return fail(ErrorKind::invalid_input, fmt::format("the integer {} has more than 64 bits", trimmed), {},
                "Write it as a number, as in 1e20, or as a string in quotes");
  }
  if (as_integer == std::errc()) return integer;
  float number = 0;
  const std::errc as_number = read_number(trimmed, number);
  if (as_number == std::errc::result_out_of_range) {
    return fail(ErrorKind::invalid_input, fmt::format("the number {} does not fit in a float32", trimmed), {},
                "Write inf or 0, or a string in quotes");
  }
  if (as_number == std::errc()) return number;
  return std::string(text);
}

// Splits at commas outside of quotes.
std::vector<std::string_view> split_items(std::string_view text) {
  std::vector<std::string_view> items;
  char quote = '\0';
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote != '\0') {
      if (text[i] == quote) quote = '\0';
    } else if (text[i] == '\'' || text[i] == '"') {
      quote = text[i];
    } else if (text[i] == ',') {
      items.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  items.push_back(text.substr(begin));
  if (base::trim(items.back()).empty()) items.pop_back();  // "" and "1," end without an item
  return items;
}

Expected<onnx::AttributeProto> list_attribute(const std::string& name, std::string_view text) {
  std::vector<Value> values;
  for (const std::string_view item : split_items(text)) {
    ASSAY_ASSIGN(values.emplace_back(), parse_value(base::trim(item)));
  }
  const auto count = [&](std::size_t kind) {
    return static_cast<std::size_t>(std::ranges::count(values, kind, &Value::index));
  };
  if (count(0) == values.size()) {
    std::vector<std::int64_t> integers;
    for (const Value& value : values) integers.push_back(std::get<std::int64_t>(value));
    return onnx::MakeAttribute(name, std::move(integers));
  }
  if (count(2) == values.size()) {
    std::vector<std::string> strings;
    for (Value& value : values) strings.push_back(std::get<std::string>(std::move(value)));
    return onnx::MakeAttribute(name, std::move(strings));
  }
  if (count(2) > 0) {
    return fail(ErrorKind::invalid_input, "the list holds both numbers and strings", {},
                "Put all of them in quotes, or none");
  }
  std::vector<float> numbers;
  for (const Value& value : values) {
    const auto* integer = std::get_if<std::int64_t>(&value);
    numbers.push_back(integer != nullptr ? static_cast<float>(*integer) : std::get<float>(value));
  }
  return onnx::MakeAttribute(name, std::move(numbers));
}

Expected<onnx::AttributeProto> parse_attribute(const std::string& name, std::string_view text) {
  const std::string_view trimmed = base::trim(text);
  if (trimmed.starts_with('[')) {
    if (trimmed.size() < 2 || !trimmed.ends_with(']')) {
      return fail(ErrorKind::invalid_input, "the list has no closing bracket", {}, "Write a list as [1,2,3]");
    }
    return list_attribute(name, trimmed.substr(1, trimmed.size() - 2));
  }
  ASSAY_ASSIGN(Value value, parse_value(text));
  return std::visit([&](auto& content) { return onnx::MakeAttribute(name, std::move(content)); }, value);
}

}  // namespace

Expected<std::vector<onnx::AttributeProto>> parse_attributes(const std::vector<std::string>& values,
                                                             std::string_view option) {
  std::vector<onnx::AttributeProto> attributes;
  std::set<std::string> seen;
  for (const std::string& text : values) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return fail(ErrorKind::invalid_input, fmt::format("'{}' is not an attribute", text), std::string(option),
                  "Give it as name=value");
    }
    const std::string name = text.substr(0, equals);
    if (!seen.insert(name).second) {
      return fail(ErrorKind::invalid_input, fmt::format("the attribute '{}' is given twice", name), std::string(option),
                  "Give each attribute once");
    }
    auto attribute = parse_attribute(name, std::string_view(text).substr(equals + 1));
    if (!attribute) return fail(std::move(attribute).error().within(fmt::format("{} {}", option, text)));
    attributes.push_back(*std::move(attribute));
  }
  return attributes;
}

}  // namespace assay::cli
