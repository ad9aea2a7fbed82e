// Small string helpers that every room may use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace assay::base {

std::vector<std::string> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string_view trim(std::string_view text);
std::string to_lower(std::string_view text);

// Every occurrence, in one pass; the text as it is where `from` is empty.
std::string replace_all(std::string_view text, std::string_view from, std::string_view to);

// Python's fnmatch.fnmatchcase: * ? [set] [!set]; the whole name has to match.
bool glob_match(std::string_view pattern, std::string_view name);

// "1024", "16M", "2G" (powers of 1024, upper or lower case, fractions allowed) to bytes.
Expected<std::uint64_t> parse_size(std::string_view text);

// 1536 -> "1.5 KiB"
std::string format_bytes(std::uint64_t bytes);

}  // namespace assay::base
