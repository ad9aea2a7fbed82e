// Functions that call each other can unfold to any number of nodes, so the limit also ends the search. Each level that
// is entered has been listed as a node before, so it bounds the depth, too.
#include "report/list_nodes.h"

#include "model/function_calls.h"
#include "model/source_line.h"

namespace assay::report {
namespace {

class Lister {
 public:
  Lister(const onnx::ModelProto& model, std::size_t most, ListConstants constants)
      : model_(model), most_(most), constants_(constants) {}

  void add(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes, int depth) {
    for (int i = 0; i < nodes.size() && list_.complete; ++i) {
      const onnx::NodeProto& node = nodes.Get(i);
      if (constants_ == ListConstants::no && node.op_type() == "Constant") continue;
      list_.complete = list_.nodes.size() < most_;
      if (!list_.complete) return;
      list_.nodes.push_back({.node = &node, .index = i, .depth = depth});
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g()) add(attribute.g().node(), depth + 1);
        for (const onnx::GraphProto& body : attribute.graphs()) add(body.node(), depth + 1);
      }
      if (const onnx::FunctionProto* called = model::find_function(model_, node)) add(called->node(), depth + 1);
    }
  }

  NodeList take() { return std::move(list_); }

 private:
  const onnx::ModelProto& model_;
  std::size_t most_;
  ListConstants constants_;
  NodeList list_;
};

}  // namespace

NodeList list_nodes(const model::Model& model, std::size_t most, ListConstants constants) {
  Lister lister(model.proto, most, constants);
  lister.add(model.graph().node(), 0);
  return lister.take();
}

std::vector<std::string> describe_nodes(const model::Model& model, std::size_t most, ListConstants constants) {
  std::vector<std::string> lines;
  const NodeList list = list_nodes(model, most, constants);
  for (const ListedNode& listed : list.nodes) {
    lines.push_back(std::string(4UL * listed.depth, ' ') + model::describe_with_source(*listed.node, listed.index));
  }
  if (!list.complete) lines.emplace_back(kMoreNodes);
  return lines;
}

}  // namespace assay::report
