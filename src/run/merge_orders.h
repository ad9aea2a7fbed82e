// Merges ordered lists of names.
#pragma once

#include <string>
#include <vector>

namespace assay::run {

// Returns all names, each once, in an order that follows those of the lists as far as they agree; where they don't, the
// first list decides.
std::vector<std::string> merge_orders(const std::vector<std::vector<std::string>>& lists);

}  // namespace assay::run
