// Follows the nodes in topological order and remembers the symbols of dimensions seen so far, so a dimension counts as
// new only at the first tensor that has it. The operators whose inputs are sizes are rows of a table.
#include "model/inference/unbounded_sizes.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "model/shapes.h"

namespace assay::model {
namespace {

struct SizeInput {
  std::string_view op_type;
  int input;  // position of the input whose value is the size
};

constexpr std::array kSizeInputs = {
    SizeInput{"Range", 1}, SizeInput{"Expand", 1}, SizeInput{"Tile", 1}, SizeInput{"Pad", 1}, SizeInput{"Resize", 3},
};

// Returns the tensor that decides the size of a node's output if the operator is in the table and a node computes the
// tensor.
TensorId size_tensor(const GraphView& view, const onnx::NodeProto& node) {
  const auto row = std::ranges::find(kSizeInputs, node.op_type(), &SizeInput::op_type);
  if (row == kSizeInputs.end() || node.input_size() <= row->input) return kNone;
  const TensorId tensor = view.find(node.input(row->input));
  const NodeId producer = view.producer(tensor);
  if (producer == kNone || view.node(producer).op_type() == "Min") return kNone;
  return tensor;
}

class Finder {
 public:
  explicit Finder(const GraphView& view) : view_(view) {
    for (TensorId id = 0; id < view.tensor_count(); ++id) {
      if (view.is_graph_input(id)) add_dimensions(id);
    }
  }

  std::vector<UnboundedSize> find(const std::vector<NodeId>& order) {
    std::vector<UnboundedSize> result;
    std::unordered_set<TensorId> listed;
    for (const NodeId node : order) {
      bool fresh = false;
      for (const TensorId output : view_.outputs(node)) fresh |= add_dimensions(output);
      if (!fresh) continue;
      const TensorId size = size_tensor(view_, view_.node(node));
      if (size != kNone && listed.insert(size).second) {
        result.push_back({std::string(view_.name(size)), node});
      }
    }
    return result;
  }

 private:
  // Returns true if the tensor has an unknown dimension that is seen for the first time.
  bool add_dimensions(TensorId id) {
    const onnx::ValueInfoProto* value = view_.value_info(id);
    if (value == nullptr) return false;
    const TensorInfo info = tensor_info(*value);
    bool fresh = false;
    for (const Dimension& dimension : info.shape.value_or(std::vector<Dimension>{})) {
      if (dimension.value >= 0) continue;
      fresh |= dimension.symbol.empty() || symbols_.insert(dimension.symbol).second;
    }
    return fresh;
  }

  const GraphView& view_;
  std::unordered_set<std::string> symbols_;
};

}  // namespace

std::vector<UnboundedSize> find_unbounded_sizes(const GraphView& view) {
  std::vector<NodeId> order(static_cast<std::size_t>(view.node_count()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<NodeId>(i);
  if (auto sorted = topological_order(view)) order = *std::move(sorted);
  return Finder(view).find(order);
}

std::size_t count_unknown_sizes(const GraphView& view) {
  std::size_t count = 0;
  for (NodeId node = 0; node < view.node_count(); ++node) {
    if (size_tensor(view, view.node(node)) == kNone || view.outputs(node).empty()) continue;
    const onnx::ValueInfoProto* value = view.value_info(view.outputs(node).front());
    if (value == nullptr || !tensor_info(*value).shape) ++count;
  }
  return count;
}

}  // namespace assay::model
