// Writes words as a user would type them.
#pragma once

#include <string>
#include <vector>

namespace assay::base {

// Returns the words with spaces in between, in single quotes if they contain characters that a shell interprets.
std::string shell_text(const std::vector<std::string>& words);

}  // namespace assay::base
