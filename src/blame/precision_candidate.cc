#include "blame/precision_candidate.h"

#include <algorithm>

#include "edit/node_places.h"

namespace assay::blame {

std::optional<double> largest_value(const PrecisionCandidate& candidate, const std::map<std::string, double>& largest) {
  std::optional<double> most;
  for (const std::string& tensor : candidate.tensors) {
    if (const auto value = largest.find(tensor); value != largest.end()) {
      most = std::max(most.value_or(0), value->second);
    }
  }
  return most;
}

PrecisionCandidate candidate_of(const onnx::NodeProto& node, int number) {
  PrecisionCandidate candidate{.number = number,
                               .op_type = node.op_type(),
                               .name = node.name().empty() ? edit::name_of(node) : node.name(),
                               .tensors = {node.input().begin(), node.input().end()}};
  candidate.tensors.insert(candidate.tensors.end(), node.output().begin(), node.output().end());
  return candidate;
}

}  // namespace assay::blame
