// Reads the number in a file's name, such as 12 in "input_12.pb".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::data {

// Returns the number between the prefix and the suffix; nothing if the name has another form.
std::optional<std::uint64_t> number_in_name(std::string_view name, std::string_view prefix, std::string_view suffix);

}  // namespace assay::data
