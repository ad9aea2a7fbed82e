// The difference of two models as text for people.
#pragma once

#include <cstddef>
#include <string>

#include "diff/model_diff.h"

namespace assay::diff {

// The first line sums up; then come the changes in groups, each with at most `limit` changes (0: all). All lines but
// the first are indented.
std::string to_text(const ModelDiff& diff, const std::string& first, const std::string& second, std::size_t limit);

}  // namespace assay::diff
