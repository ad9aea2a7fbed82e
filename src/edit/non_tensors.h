// Which names of a graph stand for sequences, optionals and maps instead of tensors.
#pragma once

#include <string_view>
#include <unordered_set>

#include "model/model.h"

namespace assay::edit {

// Told from what the graph declares, else from the operators that make such values, passed on through Identity, If and
// Loop. What is not known counts as a tensor. The names are those of the graph's own messages.
std::unordered_set<std::string_view> non_tensors(const onnx::GraphProto& graph);

}  // namespace assay::edit
