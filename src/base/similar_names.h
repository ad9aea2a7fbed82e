// Suggests what a user probably meant by a name that doesn't exist.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace assay::base {

// Returns at most `most` of the names: those that resemble `wanted`, the most similar first. Case doesn't matter. Names
// that contain the other one come first, then abbreviations and typing errors (by the Levenshtein distance).
std::vector<std::string> similar_names(const std::vector<std::string>& names, const std::string& wanted,
                                       std::size_t most);

// Returns "Did you mean X?", or an empty string if no name is similar.
std::string did_you_mean(const std::vector<std::string>& names, const std::string& wanted);

}  // namespace assay::base
