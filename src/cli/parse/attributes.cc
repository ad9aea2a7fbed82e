#include "cli/parse/attributes.h"

#include <fmt/format.h>

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

base::Status set_list(onnx::AttributeProto& attribute, std::string_view text) {
  std::vector<Value> values;
  for (const std::string_view item : split_items(text)) {
    ASSAY_ASSIGN(values.emplace_back(), parse_value(base::trim(item)));
  }
  const auto count = [&](std::size_t kind) {
    return static_cast<std::size_t>(std::ranges::count(values, kind, &Value::index));
  };
  if (count(0) == values.size()) {
    attribute.set_type(onnx::AttributeProto::INTS);
    for (const Value& value : values) attribute.add_ints(std::get<std::int64_t>(value));
  } else if (count(2) == values.size()) {
    attribute.set_type(onnx::AttributeProto::STRINGS);
    for (Value& value : values) attribute.add_strings(std::get<std::string>(std::move(value)));
  } else if (count(2) == 0) {
    attribute.set_type(onnx::AttributeProto::FLOATS);
    for (const Value& value : values) {
      const auto* integer = std::get_if<std::int64_t>(&value);
      attribute.add_floats(integer != nullptr ? static_cast<float>(*integer) : std::get<float>(value));
    }
  } else {
    return fail(ErrorKind::invalid_input, "the list holds both numbers and strings", {},
                "Put all of them in quotes, or none");
  }
  return {};
}

base::Status set_value(onnx::AttributeProto& attribute, std::string_view text) {
  const std::string_view trimmed = base::trim(text);
  if (trimmed.starts_with('[')) {
    if (trimmed.size() < 2 || !trimmed.ends_with(']')) {
      return fail(ErrorKind::invalid_input, "the list has no closing bracket", {}, "Write a list as [1,2,3]");
    }
    return set_list(attribute, trimmed.substr(1, trimmed.size() - 2));
  }
  ASSAY_ASSIGN(Value value, parse_value(text));
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(*integer);
  } else if (const auto* number = std::get_if<float>(&value)) {
    attribute.set_type(onnx::AttributeProto::FLOAT);
    attribute.set_f(*number);
  } else {
    attribute.set_type(onnx::AttributeProto::STRING);
    attribute.set_s(std::get<std::string>(std::move(value)));
  }
  return {};
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
    onnx::AttributeProto& attribute = attributes.emplace_back();
    attribute.set_name(text.substr(0, equals));
    if (!seen.insert(attribute.name()).second) {
      return fail(ErrorKind::invalid_input, fmt::format("the attribute '{}' is given twice", attribute.name()),
                  std::string(option), "Give each attribute once");
    }
    if (base::Status set = set_value(attribute, std::string_view(text).substr(equals + 1)); !set) {
      return fail(std::move(set).error().within(fmt::format("{} {}", option, text)));
    }
  }
  return attributes;
}

}  // namespace assay::cli
