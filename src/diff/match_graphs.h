// Decides which node and which tensor of one graph are the same as which of another.
//
// The steps, from the surest evidence to the weakest; each only looks at what is still unmatched:
//   1. Nodes with equal labels both of what feeds them and of what reads them (labels.h); then with one of the two
//      equal. A label that several nodes share counts for those with equal names only.
//   2. Neighbours of matched nodes: nodes that are alike by themselves, at the same input or output of a matched pair.
//   3. Nodes whose own label is unique in both graphs; neighbours of nodes that were put in or taken out.
//   4. Nodes that share both labels: in the order of the file, and the neighbours of each pair before the next one.
//   All of these are repeated with labels that consider less: weights by value, by name, by type, operators alone.
//   5. Equal names with the same operator, and their neighbours.
//   6. Nodes with another operator in the same place or under the same name: these were replaced.
// Structure comes before names because exporters number nodes: one more node then shifts the names of all others.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "diff/tensor_prints.h"
#include "diff/wiring.h"

namespace assay::diff {

// A graph, and the fingerprints of its model's tensors.
struct Side {
  const Wiring& wiring;
  const TensorPrints& prints;
};

// Tensors of the first graph with their counterparts in the second, by name.
using TensorPairs = std::unordered_map<std::string_view, std::string_view>;

struct Match {
  std::vector<NodeId> nodes;      // by node of the first graph: its counterpart in the second, or kNone
  std::vector<NodeId> back;       // by node of the second graph: its counterpart in the first, or kNone
  std::vector<TensorId> tensors;  // by tensor of the first graph: its counterpart in the second, or kNone
  std::vector<TensorId> tensors_back;
};

// The way in which inputs and outputs are matched: by name first, or by position, as those of bodies and functions.
enum class PortsBy { name, position };

// Returns the counterparts of nodes and tensors. `outer` holds those of tensors of the graphs around the two, which
// bodies may read.
Match match_graphs(const Side& first, const Side& second, PortsBy ports, const TensorPairs& outer);

}  // namespace assay::diff
