// Formats judged results for programs.
#pragma once

#include <string>

#include "compare/judge_accuracy.h"

namespace assay::compare {

// Formats one JSON object: whether everything `passed`, and the `comparisons`. `is_judged`: false if the results only
// show what was saved; `passed` is then null. Numbers that aren't finite are written as null.
std::string to_json(const JudgedResults& results, bool is_judged);

}  // namespace assay::compare
