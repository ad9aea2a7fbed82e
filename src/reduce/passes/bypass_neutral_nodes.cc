// Nodes that pass on their input are there because a converter wrote them. A failure hardly ever needs them, so all of
// them, including those in bodies, are bypassed in one try. Some of them may change values in this model (a Dropout in
// training, a Transpose of a square); that doesn't matter, as the check says whether the failure remains.
#include <algorithm>
#include <array>
#include <iterator>

#include "edit/node_places.h"
#include "reduce/passes/bypass.h"
#include "reduce/passes/node_passes.h"

namespace assay::reduce {
namespace {

constexpr std::array kNeutral = {"Cast",    "CastLike", "Dropout", "Expand", "Flatten",   "Identity", "Pad",
                                 "Reshape", "Slice",    "Squeeze", "Tile",   "Transpose", "Unsqueeze"};
// With a single input, these return it.
constexpr std::array kVariadic = {"Concat", "Max", "Mean", "Min", "Sum"};

bool is_neutral(const onnx::NodeProto& node) {
  const auto is = [&](const char* name) { return edit::is_operator(node, name); };
  return std::ranges::any_of(kNeutral, is) || (node.input_size() == 1 && std::ranges::any_of(kVariadic, is));
}

}  // namespace

std::vector<edit::ModelChange> bypass_neutral_nodes(const PassInput& input) {
  std::vector<edit::ModelChange> changes = bypass_outer_nodes(input, is_neutral);
  std::ranges::move(bypass_nodes_in_bodies(input, is_neutral), std::back_inserter(changes));
  return changes;
}

}  // namespace assay::reduce
