// The nodes of a small model, for people. A node that holds others (a loop, a branch, a call of a local function) says
// little without them, so these follow it, indented.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace assay::report {

struct ListedNode {
  const onnx::NodeProto* node = nullptr;  // of the model
  int index = 0;                          // in its graph or function
  int depth = 0;                          // 0: in the main graph
};

struct NodeList {
  std::vector<ListedNode> nodes;
  bool complete = true;  // false: there are more nodes than were asked for
};

enum class ListConstants { yes, no };

// Returns at most `most` nodes, each followed by those of its bodies and of the local function that it calls.
NodeList list_nodes(const model::Model& model, std::size_t most, ListConstants constants = ListConstants::yes);

inline constexpr std::string_view kMoreNodes = "...";

// Returns a line for each of these nodes: what it is and the line of a PyTorch program that it comes from, indented by
// its depth. The last line is kMoreNodes if there are more.
std::vector<std::string> describe_nodes(const model::Model& model, std::size_t most,
                                        ListConstants constants = ListConstants::yes);

}  // namespace assay::report
