// Compares the attributes of two nodes.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "diff/comparison.h"

namespace assay::diff {

// Two bodies of counterparts, which are to be compared as graphs.
struct BodyPair {
  const onnx::GraphProto* first = nullptr;
  const onnx::GraphProto* second = nullptr;
  std::string attribute;  // "then_branch", or "branches[2]" of a list
};
using Attributes = google::protobuf::RepeatedPtrField<onnx::AttributeProto>;

// Adds the changes of attributes, and returns the bodies that both nodes have. Errors: those of
// Comparison::compare_tensors().
base::Expected<std::vector<BodyPair>> compare_attributes(Comparison& comparison, const Subject& subject,
                                                         const Attributes& first, const Attributes& second);

// Adds a change if the two values differ.
base::Status compare_sparse(Comparison& comparison, const Subject& subject, const std::string& detail,
                            const onnx::SparseTensorProto& first, const onnx::SparseTensorProto& second);

}  // namespace assay::diff
