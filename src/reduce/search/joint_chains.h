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

// Returns the shortest chains from each node and each of its inputs that varies. Each node of a chain, except the
// first, is the only reader of the one before it. No node keeps the type of what it reads in the chain, but the last
// one computes a tensor of the type with which the chain begins. `known`: the types of the subject's tensors.
std::vector<JointChain> joint_chains(const edit::Subject& subject, const edit::ValueInfos& known);

}  // namespace assay::reduce
