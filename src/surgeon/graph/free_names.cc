#include "surgeon/graph/free_names.h"

#include "edit/rename_tensors.h"
#include "edit/tensor_names.h"
#include "edit/visit_graphs.h"

namespace assay::surgeon {
namespace {

class Freeing {
 public:
  Freeing(onnx::GraphProto& graph, const std::set<std::string>& names) : graph_(graph), names_(names), taken_(graph) {}

  void run() {
    for (onnx::NodeProto& node : *graph_.mutable_node()) {
      for (std::string& output : *node.mutable_output()) {
        if (names_.contains(output)) output = taken_.take(output + "/computed");
      }
    }
    rename_in_bodies(graph_);
  }

 private:
  void rename_in_bodies(onnx::GraphProto& graph) {
    for (onnx::NodeProto& node : *graph.mutable_node()) {
      edit::visit_bodies(node, [this](onnx::GraphProto& body) {
        edit::Renames renames;
        edit::visit_own_names(body, [&](const std::string& name) {
          if (names_.contains(name)) renames.try_emplace(name, taken_.take(name + "/inner"));
        });
        edit::rename_tensors(body, renames);
        rename_in_bodies(body);
      });
    }
  }

  onnx::GraphProto& graph_;
  const std::set<std::string>& names_;
  edit::TensorNames taken_;
};

}  // namespace

void free_names(onnx::GraphProto& graph, const std::set<std::string>& names) {
  Freeing(graph, names).run();
}

}  // namespace assay::surgeon
