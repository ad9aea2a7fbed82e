// Searches the nodes of one graph: phases that grow sets of nodes, bypasses in batches, then single nodes.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "reduce/stages.h"

namespace assay::reduce {

// Identify nodes across graphs, by operator type and the name of the first output.
using NodeHandles = std::set<std::pair<std::string, std::string>>;
NodeHandles handles_of(const onnx::GraphProto& graph);

struct NodesToSearch {
  SharedModel model;
  Constants constants = Constants::as_values;
  std::optional<std::string> failed_as = {};  // as NodeSearch takes it
  NodeHandles needed = {};                    // nodes that were needed in a larger graph: tried last
};
struct SearchedNodes {
  State state;
  bool fails = false;          // the whole failed, so its nodes were searched
  SharedModel whole;           // the candidate with all nodes; set if it didn't fail
  bool has_constants = false;  // the graph has Constant nodes
};
base::Expected<SearchedNodes> search_nodes(Reducer& reducer, State state, NodesToSearch nodes);

}  // namespace assay::reduce
