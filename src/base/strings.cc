#include "base/strings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace assay::base {
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.emplace_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string_view trim(std::string_view text, std::string_view characters) {
  const std::size_t begin = text.find_first_not_of(characters);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(characters) - begin + 1);
}

std::string to_lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  if (from.empty()) return std::string(text);
  std::string result;
  for (std::size_t at = 0; at = text.find(from), at != std::string_view::npos; text.remove_prefix(at + from.size())) {
    result += text.substr(0, at);
    result += to;
  }
  result += text;
  return result;
}

Expected<std::uint64_t> parse_size(std::string_view text) {
  const std::string trimmed(trim(text));
  char* end = nullptr;
  const double number = std::strtod(trimmed.c_str(), &end);
  const std::string suffix = to_lower(end);
  constexpr std::string_view kSuffixes = "kmgt";
  double unit = 1;
  if (suffix.size() == 1 && kSuffixes.find(suffix[0]) != std::string_view::npos) {
    unit = std::pow(1024.0, static_cast<double>(kSuffixes.find(suffix[0]) + 1));
  } else if (!suffix.empty() || trimmed.empty()) {
    return fail(ErrorKind::invalid_input, fmt::format("'{}' is not a size", text), {},
                "Give a number of bytes, or a number with K, M, G or T");
  }
  const double bytes = number * unit;
  if (!(bytes >= 0) || bytes > 9e18)
    return fail(ErrorKind::invalid_input, fmt::format("size '{}' is out of range", text));
  return static_cast<std::uint64_t>(bytes);
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

}  // namespace assay::base
