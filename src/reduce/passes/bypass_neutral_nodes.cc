// Nodes that give on what they read, and are there because a converter wrote them: a failure hardly ever needs them, so
// all of them, in bodies too, are one try. Whether one changes the values in this case doesn't matter, as the check
// says if the failure stays: a Dropout may be in training, a Transpose of a square may keep the shape by chance.
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
// Of one input these give back what they read.
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
