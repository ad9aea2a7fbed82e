// A candidate of a search for precisions: a node of a model, or a layer of a TensorRT network.
#pragma once

#include <onnx/onnx_pb.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace assay::blame {

struct PrecisionCandidate {
  int number = 0;                    // see precision_subject.h
  std::string op_type;               // empty for a layer
  std::string name;                  // if a node has none, that of its first output
  std::vector<std::string> tensors;  // names of its operands, inputs first
  int index = 0;                     // of a node in its graph
  std::string body_of{};             // the node whose body contains it, for people; empty in the main graph
};

// Returns the largest absolute value of the candidate's tensors; nothing if none of them was measured. `largest`: see
// largest_values().
std::optional<double> largest_value(const PrecisionCandidate& candidate, const std::map<std::string, double>& largest);

PrecisionCandidate candidate_of(const onnx::NodeProto& node, int number);

}  // namespace assay::blame
