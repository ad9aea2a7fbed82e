// Through which tensors do all paths between nodes pass?
#pragma once

#include <optional>
#include <vector>

#include "model/graph_view.h"

namespace assay::reduce {

// A tensor through which all paths pass: nothing else connects what comes before it with what comes after it.
struct Waist {
  model::TensorId tensor = model::kNone;
  // The nodes on paths since the waist before, in topological order. The last one produces the tensor.
  std::vector<model::NodeId> nodes{};
};

struct Paths {
  std::vector<model::NodeId> from;  // empty: the first node of the file that leads to `to`
  model::NodeId to = model::kNone;
  std::vector<bool> within{};  // by node: paths never leave these; empty: all nodes
};

// Returns the waists of the paths, in order. Returns nothing if the graph has a cycle.
std::vector<Waist> path_waists(const model::GraphView& view, const Paths& paths);

}  // namespace assay::reduce
