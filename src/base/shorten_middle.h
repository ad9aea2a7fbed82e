// Shortens long names so that a table stays readable.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::base {

// Replaces the middle of a text of more than `width` characters by "...". Both ends stay, since names differ most
// there. A UTF-8 character is never cut; it counts as one. Other bytes count as characters of at most four bytes.
std::string shorten_middle(std::string_view text, std::size_t width);

// Returns the number of characters in UTF-8 text, which is its width in a table.
std::size_t count_characters(std::string_view text);

}  // namespace assay::base
