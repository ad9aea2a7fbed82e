// Lists the ways to remove one node of the bodies of If, Loop and Scan: its outputs become inputs of the body or
// constants, one of its inputs takes their place (a bypass), or, if the body returns them, zeros do.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "edit/changes/model_change.h"
#include "model/model.h"
#include "reduce/explore/strategy.h"
#include "tensor/tensor.h"

namespace assay::reduce {

// A node of a body or of a local function.
struct InnerNode {
  std::string what;               // for people: "Relu 'r' in the body of 'loop'"
  bool has_to_stay = false;       // removing it alone would change nothing, or leave an output undefined
  bool can_be_value = false;      // as count_nodes.h says
  bool in_function_body = false;  // of another node of a function; there are no ways for it
};

// A way to remove it.
struct InnerRemoval {
  std::size_t node = 0;               // position in body_nodes() or function_nodes()
  std::string what;                   // for people
  std::function<SharedModel()> make;  // returns the candidate, or null if this way isn't available for the node
};

// Returns the nodes of all bodies. A node has to stay if the body defines an output with it and it computes nothing.
std::vector<InnerNode> body_nodes(const model::Model& model);

// Returns the ways, the most promising ones first. `known` and the recorded `values`, by tensor name, must outlive
// them.
std::vector<InnerRemoval> body_removals(const SharedModel& model, const edit::ValueInfos& known,
                                        const tensor::NamedTensors& values);

}  // namespace assay::reduce
