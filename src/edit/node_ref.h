// Names a graph or a node of a model by what stays the same while other parts change, so not by position.
#pragma once

#include <compare>
#include <string>
#include <vector>

namespace assay::edit {

// The graph of the model (empty), or a body in it. Each step names a node by its first output (or by its own name if it
// has no output) and the attribute that holds the body.
struct GraphPath {
  struct Step {
    std::string node;
    std::string attribute;
    friend auto operator<=>(const Step&, const Step&) = default;
  };
  std::vector<Step> steps{};
  friend auto operator<=>(const GraphPath&, const GraphPath&) = default;
};

struct NodeRef {
  GraphPath graph{};
  std::string output{};  // the first output with a name; the node's name if it has none
  // If set, a node of another type doesn't match: it has replaced the one that was meant.
  std::string op_type{};
  int nth = 0;  // index among nodes with that name; invalid models can have several
  friend auto operator<=>(const NodeRef&, const NodeRef&) = default;
};

}  // namespace assay::edit
