// From a model to the cells that can be compared, by name, with what the other side has.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "locate/cell_graph.h"
#include "model/graph_view.h"

namespace assay::locate {

struct Skeleton {
  CellGraph graph;                                     // bytes are 0: comparable.h estimates them
  std::vector<model::NodeId> nodes;                    // of the cells, in the model
  std::vector<std::vector<std::string>> results;       // of the cells: tensors that can be compared, one at least
  std::map<std::string, CellId, std::less<>> cell_of;  // tensor to the cell that it is a result of
  std::vector<std::string> outputs;                    // of the model, those that are results of cells
  std::vector<bool> needed;                            // by node of the model: some output needs it
  std::vector<std::string> missing;  // tensors that nodes make and read, and that the other side lacks

  [[nodiscard]] std::size_t size() const { return nodes.size(); }
};

struct SkeletonOptions {
  // Whether the other side has a tensor of this name that can be had from it.
  std::function<bool(std::string_view name)> other_has = [](std::string_view) { return true; };
};

// Tensors that nodes of the outer graph make and other nodes, or the outputs, read; not those of Constant nodes, which
// belong to their readers as weights do, nor sequences, optionals and maps. Tensors inside bodies of If, Loop and Scan
// and inside functions are not seen: such a node is one cell. Nodes that no output needs are left out.
// Errors: invalid_input for a graph with a cycle.
base::Expected<Skeleton> make_skeleton(const model::GraphView& view, const SkeletonOptions& options);

}  // namespace assay::locate
