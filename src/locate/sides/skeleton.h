// Builds the graph of cells of a model: the tensors that can be compared, by name, with those of the other side.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "locate/search/cell_graph.h"
#include "model/graph_view.h"

namespace assay::locate {

struct Skeleton {
  CellGraph graph;                                     // bytes are 0 until estimate_bytes() fills them in
  std::vector<model::NodeId> nodes;                    // by cell: its node in the model
  std::vector<std::vector<std::string>> results;       // by cell: its comparable tensors, at least one
  std::map<std::string, CellId, std::less<>> cell_of;  // tensor -> the cell that computes it
  std::vector<std::string> outputs;                    // the model's outputs that are results of cells
  std::vector<bool> needed;                            // by node of the model: an output depends on it
  std::vector<std::string> missing;                    // tensors of the model that the other side lacks

  [[nodiscard]] std::size_t size() const { return nodes.size(); }
};

struct SkeletonOptions {
  // Returns true if the other side has a tensor of this name.
  std::function<bool(std::string_view name)> other_has = [](std::string_view) { return true; };
};

// Comparable tensors are those that nodes of the outer graph compute and that other nodes or the outputs read. Excluded
// are outputs of Constant nodes, which belong to their readers like weights, and sequences, optionals and maps. Tensors
// inside bodies of If, Loop and Scan and inside functions are not visible: such a node is one cell. Nodes that no
// output depends on are skipped. Errors: invalid_input for a graph with a cycle.
base::Expected<Skeleton> make_skeleton(const model::GraphView& view, const SkeletonOptions& options);

}  // namespace assay::locate
