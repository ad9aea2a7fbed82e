// Contradictions between the types and shapes of a graph's tensors, node by node.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/graph_view.h"
#include "model/model.h"
#include "model/shapes.h"

namespace assay::model {

struct TypeFault {
  enum class Kind {
    inference,       // ONNX's inference rejects the node
    inputs,          // the operator doesn't take inputs of these types
    declared_type,   // the model declares another type for what the node computes
    declared_shape,  // or another shape
  };
  Kind kind = Kind::inference;
  NodeId node = kNone;
  std::string message;
  std::string tensor = {};  // the one that is declared wrongly; empty for other faults
};

struct TypeFaults {
  std::vector<TypeFault> faults;
  std::map<std::string, TensorInfo> known;  // what is known about the tensors of the graph, declared or inferred
};

// Finds all faults, not just the first. A node that reads the result of a faulty node has no fault by that alone. Works
// on invalid models: nodes may be unsorted, and operators unknown.
TypeFaults find_type_faults(const Model& model);

}  // namespace assay::model
