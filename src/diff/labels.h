// Labels of nodes by structure: two nodes have equal labels if they compute the same in the same surroundings, whatever
// their names are.
//
// A node's own label stands for its operator, attributes and weights. From it, one pass along the edges and one against
// them give two labels that stand for everything that feeds the node, and for everything that reads it. That is
// Weisfeiler and Leman's refinement of colours, carried on to the ends of an acyclic graph in two passes instead of one
// round per step. A change spoils the first label of what lies below it, and the second one of what lies above it, so
// most nodes keep one of the two.
#pragma once

#include <vector>

#include "diff/fingerprint.h"
#include "diff/tensor_prints.h"
#include "diff/wiring.h"

namespace assay::diff {

// The properties that labels consider, from the strictest choice to the most lenient. Later choices match nodes whose
// weights were all trained again, then those whose weights also have other names, then nodes of another operator set.
enum class LabelBy {
  values,     // weights and attributes, by value
  names,      // weights by name
  types,      // weights by type and shape
  operators,  // nothing but operators and edges
};

// Labels of one graph, by node.
struct Labels {
  std::vector<Fingerprint> own, above, below;
};

// Says which tensors that no node computes are the same in both graphs: inputs and tensors from outside have equal ids
// in both. Outputs likewise.
struct Ends {
  std::vector<std::int64_t> inputs;   // by tensor; 0: not such a tensor
  std::vector<std::int64_t> outputs;  // by tensor; 0: not an output
};

Labels make_labels(const Wiring& wiring, const TensorPrints& prints, const Ends& ends, LabelBy by);

}  // namespace assay::diff
