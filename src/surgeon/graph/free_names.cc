#include "surgeon/graph/free_names.h"

#include "edit/rename_tensors.h"
#include "edit/unused_name.h"
#include "edit/visit_graphs.h"

namespace assay::surgeon {
namespace {

class Freeing {
 public:
  Freeing(onnx::GraphProto& graph, const std::set<std::string>& names) : graph_(graph), names_(names) {
    edit::visit_all_names(graph, [this](const std::string& name) { taken_.insert(name); });
  }

  void run() {
    for (onnx::NodeProto& node : *graph_.mutable_node()) {
      for (std::string& output : *node.mutable_output()) {
        if (names_.contains(output)) output = unused(output + "/computed");
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
          if (names_.contains(name)) renames.try_emplace(name, unused(name + "/inner"));
        });
        edit::rename_tensors(body, renames);
        rename_in_bodies(body);
      });
    }
  }

  std::string unused(const std::string& wanted) {
    return edit::unused_name(
        wanted, [this](const std::string& name) { return !taken_.insert(name).second; }, 2);
  }

  onnx::GraphProto& graph_;
  const std::set<std::string>& names_;
  std::set<std::string> taken_;
};

}  // namespace

void free_names(onnx::GraphProto& graph, const std::set<std::string>& names) {
  Freeing(graph, names).run();
}

}  // namespace assay::surgeon
