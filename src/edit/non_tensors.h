// Finds the names of a graph that stand for sequences, optionals and maps instead of tensors.
#pragma once

#include <string_view>
#include <unordered_set>

#include "model/model.h"

namespace assay::edit {

// Decided by what the graph declares, else by the operators that produce such values, also when passed on through
// Identity, If and Loop. Unknown values count as tensors. The names are views of the graph's own messages.
std::unordered_set<std::string_view> non_tensors(const onnx::GraphProto& graph);

// Returns true if the operator makes a sequence, an optional or a map, mostly of tensors that it reads.
bool makes_non_tensor(const onnx::NodeProto& node);

// Returns true for tensors, sparse tensors and values without a type.
bool may_be_tensor(const onnx::TypeProto& type);

}  // namespace assay::edit
