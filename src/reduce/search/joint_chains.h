// Finds nodes that can be bypassed only together, such as an Unsqueeze and a Squeeze.
#pragma once

#include <cstddef>
#include <vector>

#include "edit/changes/model_change.h"
#include "edit/subject.h"
#include "reduce/passes/path_segments.h"

namespace assay::reduce {

struct JointChain {
  std::size_t first = 0;  // the position of its first node in Subject::nodes()
  PathSegment segment;
};

// Returns the shortest chains, none of which overlap. In a chain, each node but the first is the only reader of the one
// before it, none keeps the type, and the last one computes a tensor of the type that the first one reads. `known`: the
// types of the subject's tensors.
std::vector<JointChain> joint_chains(const edit::Subject& subject, const edit::ValueInfos& known);

}  // namespace assay::reduce
