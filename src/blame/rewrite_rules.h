// ONNX Runtime's optimizers that consist of rules, each with a name of its own that can be disabled.
#pragma once

#include <span>
#include <string_view>

namespace assay::blame {

// Returns the names of the rules that belong to an optimizer, or nothing if it doesn't consist of rules. The list
// covers all known versions; a version ignores the names that it doesn't have. Source: GenerateRewriteRules() in
// onnxruntime/core/optimizer/graph_transformer_utils.cc.
std::span<const std::string_view> rules_of(std::string_view optimizer);

}  // namespace assay::blame
