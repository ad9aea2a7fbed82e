// Keeps candidates from running forever.
//
// A Loop without a number of iterations runs until its body returns a false condition. If a candidate lacks the nodes
// that compute the condition, it is the same in every iteration: the Loop never ends, and what its body returns may
// fill the memory. Such a Loop gets a number of iterations.
#pragma once

#include <cstdint>

#include "edit/changes/model_change.h"
#include "model/model.h"

namespace assay::reduce {

// The number of iterations of a Loop about which nothing is known.
inline constexpr std::int64_t kRoundsIfUnknown = 64;

// Returns whether the condition of the body of a Loop can change from one iteration to the next. It can't if nothing
// from which it is computed changes.
bool condition_varies(const onnx::GraphProto& body);

// Returns whether a Loop in `graph` has a constant number of iterations, at most kRoundsIfUnknown.
bool has_few_rounds(const onnx::GraphProto& graph, const onnx::NodeProto& loop);

// Limits Loops of `after` to kRoundsIfUnknown iterations if their condition could vary in `before` and no longer can.
// Loops with few rounds stay as they are. `after` was derived from `before` by changes; `known`: as for edit::apply().
void bound_loops(const model::Model& before, const edit::ValueInfos& known, model::Model& after);

}  // namespace assay::reduce
