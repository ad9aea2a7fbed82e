#include "blame/precision_candidate.h"

#include "edit/node_places.h"

namespace assay::blame {

PrecisionCandidate candidate_of(const onnx::NodeProto& node, int number) {
  PrecisionCandidate candidate{.number = number,
                               .op_type = node.op_type(),
                               .name = node.name().empty() ? edit::name_of(node) : node.name(),
                               .tensors = {node.input().begin(), node.input().end()}};
  candidate.tensors.insert(candidate.tensors.end(), node.output().begin(), node.output().end());
  return candidate;
}

}  // namespace assay::blame
