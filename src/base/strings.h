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
std::string_view trim(std::string_view text, std::string_view characters = " \t\r\n\v\f");
std::string to_lower(std::string_view text);

// Replaces every occurrence of `from` in one pass; returns `text` unchanged if `from` is empty.
std::string replace_all(std::string_view text, std::string_view from, std::string_view to);

// Converts "1024", "16M" or "1.5G" to bytes. The suffixes K, M, G and T are powers of 1024, in either case.
// Errors: invalid_input.
Expected<std::uint64_t> parse_size(std::string_view text);

// Formats 1536 as "1.5 KiB".
std::string format_bytes(std::uint64_t bytes);

}  // namespace assay::base
