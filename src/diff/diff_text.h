// The difference of two models as text for people.
#pragma once

#include <cstddef>
#include <string>

#include "diff/model_diff.h"

namespace assay::diff {

// Returns a sentence without a full stop: "The models differ: 1 node added, 2 weights changed".
std::string summary(const ModelDiff& diff);
// Names what a change is about, as the first model does: "Conv 'conv_1' (node #3)".
std::string subject_text(const Change& change);
// Says how much the values of a tensor differ, which the change must hold: "3 of 9 values differ, by up to 0.1 at (0,
// 2); relative norm 0.01".
std::string values_text(const Change& change);

// The first line sums up; then come the changes in groups, each with at most `limit` changes (0: all). All lines but
// the first are indented.
std::string to_text(const ModelDiff& diff, const std::string& first, const std::string& second, std::size_t limit);

}  // namespace assay::diff
