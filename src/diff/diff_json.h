// The difference of two models as JSON for programs.
#pragma once

#include <string>

#include "diff/model_diff.h"

namespace assay::diff {

// {"equal": false, "first": {"path", "nodes", "weights", "weight_bytes"}, "second": ..., "weights_ignored",
// "operators": {"Conv": {"first": 2, "second": 1}} of which there are more or fewer, "changes": [...]}. A change
// has "aspect", "kind" ("added", "removed", "changed"), "graph" (empty: the model's), "first" and "second" (each null
// or {"type", "name", "index"}), "detail", "before", "after" (texts for people), and "values" (of weights that were
// measured). NaN and infinities are the strings "nan", "inf" and "-inf".
std::string to_json(const ModelDiff& diff, const std::string& first, const std::string& second);

}  // namespace assay::diff
