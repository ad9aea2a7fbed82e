#include "cli/parse/values.h"

#include <fmt/format.h>

#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/strings.h"

namespace assay::cli {
namespace {

using base::ErrorKind;
using base::Expected;
using base::fail;

auto bad_value(std::string_view value, std::string_view option, std::string_view form) {
  return fail(ErrorKind::invalid_input, fmt::format("'{}' is not a valid value", value), std::string(option),
              fmt::format("Give it as {}", form));
}

// Returns the text between a pair of brackets of either kind, or nullopt if there are none.
std::optional<std::string_view> unbracket(std::string_view text) {
  text = base::trim(text);
  if (text.size() < 2) return std::nullopt;
  const bool square = text.front() == '[' && text.back() == ']';
  const bool round = text.front() == '(' && text.back() == ')';
  if (!square && !round) return std::nullopt;
  return text.substr(1, text.size() - 2);
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items;
  for (const std::string& item : base::split(text, ',')) items.emplace_back(base::trim(item));
  if (!items.empty() && items.back().empty()) items.pop_back();  // "" and "1," end without an item
  return items;
}

std::optional<double> parse_double(const std::string& text) {
  if (text.empty()) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return *end == '\0' ? std::optional(value) : std::nullopt;
}

// A double has too few digits for integers of 64 bits. Other numbers must be rounded to double, as Python does.
std::optional<long double> parse_bound(const std::string& text) {
  const std::string_view digits = std::string_view{text}.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
  const bool is_integer = digits.find_first_not_of("0123456789") == std::string_view::npos;
  const bool fits = !digits.empty() && digits.size() <= std::numeric_limits<std::uint64_t>::digits10 + 1;
  if (is_integer && fits) return std::strtold(text.c_str(), nullptr);
  return parse_double(text);
}

std::optional<std::int64_t> parse_integer(const std::string& text) {
  if (text.empty()) return std::nullopt;
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text.c_str(), &end, 10);
  return *end == '\0' && errno == 0 ? std::optional<std::int64_t>(value) : std::nullopt;
}

// A dimension's symbol may be quoted, as Python prints it.
std::string unquote(const std::string& text) {
  const bool quoted = text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

auto bad_type(std::string_view type, std::string_view value, std::string_view option) {
  return fail(ErrorKind::invalid_input, fmt::format("'{}' in '{}' is not an element type", type, value),
              std::string(option), "Use a type such as float32, float16, int64 or bool, or auto");
}

// Checks that no size but -1 is negative. `inner`: the sizes, as text.
base::Status check_sizes(std::string_view inner, std::string_view value, std::string_view option) {
  for (const std::string& item : split_list(inner)) {
    const auto number = parse_integer(item);
    if (!number || *number >= -1) continue;
    return fail(ErrorKind::invalid_input, fmt::format("'{}' in '{}' is not a dimension", item, value),
                std::string(option), "Use a size, or -1 or a name if it is unknown");
  }
  return {};
}

// Splits "name:value" at the last colon. The name is "" if there is no colon.
std::pair<std::string, std::string> split_name(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {"", text};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

}  // namespace

Expected<Dimensions> parse_dimensions(std::string_view text, std::string_view option) {
  const auto inner = unbracket(text);
  if (!inner) return bad_value(text, option, "[1,3,224,224]");
  Dimensions dimensions;
  for (const std::string& item : split_list(*inner)) {
    if (const auto number = parse_integer(item)) {
      dimensions.push_back({*number < 0 ? -1 : *number, ""});
    } else if (item.empty() || parse_double(item)) {  // 1.5, or an integer of more than 64 bits, isn't a symbol
      return bad_value(text, option, "[1,3,224,224]");
    } else {
      dimensions.push_back({-1, unquote(item)});
    }
  }
  return dimensions;
}

Expected<std::map<std::string, Dimensions>> parse_shapes(const std::vector<std::string>& values,
                                                         std::string_view option) {
  std::map<std::string, Dimensions> shapes;
  for (const std::string& value : values) {
    auto [name, shape] = split_name(value);
    if (name.empty()) return bad_value(value, option, "name:[1,3,224,224]");
    ASSAY_ASSIGN(shapes[name], parse_dimensions(shape, option));
  }
  return shapes;
}

Expected<std::map<std::string, tensor::ValueRange>> parse_ranges(const std::vector<std::string>& values,
                                                                 std::string_view option) {
  constexpr auto kForm = "[low,high] or name:[low,high]";
  std::map<std::string, tensor::ValueRange> ranges;
  for (const std::string& value : values) {
    const auto [name, range] = split_name(value);
    const auto inner = unbracket(range);
    const std::vector<std::string> items = inner ? split_list(*inner) : std::vector<std::string>{};
    if (items.size() != 2) return bad_value(value, option, kForm);
    const auto low = parse_bound(items[0]);
    const auto high = parse_bound(items[1]);
    if (!low || !high || std::isnan(*low) || std::isnan(*high)) return bad_value(value, option, kForm);
    if (*low > *high)
      return fail(ErrorKind::invalid_input, fmt::format("the range '{}' is empty", value), std::string(option),
                  "Give the lower end first");
    ranges[name] = {*low, *high};
  }
  return ranges;
}

Expected<std::map<std::string, double>> parse_numbers(const std::vector<std::string>& values, std::string_view option) {
  std::map<std::string, double> numbers;
  for (const std::string& value : values) {
    const auto [name, text] = split_name(value);
    const auto number = parse_double(text);
    if (!number) return bad_value(value, option, "a number, or name:number");
    numbers[name] = *number;
  }
  return numbers;
}

Expected<std::map<std::string, std::string>> parse_words(const std::vector<std::string>& values,
                                                         std::string_view option) {
  std::map<std::string, std::string> words;
  for (const std::string& value : values) {
    auto [name, word] = split_name(value);
    if (word.empty()) return bad_value(value, option, "a word, or name:word");
    words[name] = std::move(word);
  }
  return words;
}

Expected<std::vector<Meta>> parse_meta(const std::vector<std::string>& values, MetaForm form, std::string_view option) {
  const bool has_shape = form == MetaForm::name_shape_type;
  const std::string_view expected = has_shape ? "name:shape:dtype, with 'auto' for a shape or type to infer"
                                              : "name:dtype, with 'auto' for a type to infer";
  std::vector<Meta> metas;
  for (const std::string& value : values) {
    Meta meta;
    auto [rest, type] = split_name(value);
    if (type != "auto") {
      meta.type = tensor::parse_element_type(type);
      if (!meta.type && rest.empty()) return bad_value(value, option, expected);
      if (!meta.type) return bad_type(type, value, option);
    }
    if (has_shape) {
      auto [name, shape] = split_name(rest);
      if (shape != "auto") {
        const auto inner = unbracket(shape);
        if (!inner) return bad_value(value, option, expected);
        ASSAY_TRY(check_sizes(*inner, value, option));
        ASSAY_ASSIGN(meta.shape, parse_dimensions(shape, option));
      }
      rest = name;
    }
    if (rest.empty()) return bad_value(value, option, expected);
    meta.name = rest;
    metas.push_back(std::move(meta));
  }
  return metas;
}

}  // namespace assay::cli
