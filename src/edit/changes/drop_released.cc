// Goes from the last node to the first, which in a sorted graph means from readers to producers, and repeats until
// nothing is removed, as graphs need not be sorted.
#include "edit/changes/drop_released.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/at.h"
#include "edit/keep_if.h"
#include "edit/node_places.h"
#include "edit/visit_graphs.h"

namespace assay::edit {
namespace {

class Dropper {
 public:
  Dropper(ModelEditor& editor, onnx::GraphProto& graph) : editor_(editor), graph_(graph) {}

  // Returns the names of outer graphs that are read less often than before.
  std::vector<std::string> run() {
    for (onnx::NodeProto& node : *graph_.mutable_node()) {
      visit_bodies(node, [&](onnx::GraphProto& body) {
        for (const std::string& name : Dropper(editor_, body).run()) release(name);
      });
    }
    for (const onnx::NodeProto& node : graph_.node()) {
      for (const std::string& name : names_read(node)) ++reads_[name];
      for (const std::string& name : node.output()) produced_.insert(name);
    }
    for (const auto& output : graph_.output()) ++reads_[output.name()];
    while (drop_once()) {
    }
    std::erase_if(freed_, [&](const std::string& name) { return produced_.contains(name); });
    return freed_;
  }

 private:
  void release(const std::string& name) {
    editor_.release(graph_, name);
    freed_.push_back(name);
  }

  bool is_unneeded(const onnx::NodeProto& node) const {
    const GraphNames* before = editor_.names_before(graph_);
    if (before == nullptr) return false;
    bool any_released = false;
    for (const std::string& name : node.output()) {
      if (name.empty()) continue;
      const auto at = reads_.find(name);
      if (at != reads_.end() && at->second > 0) return false;
      const bool was_used = before->uses(name);
      if (was_used && (editor_.released(graph_, name) || is_operator(node, "Constant"))) {
        any_released = true;
      } else if (before->read.contains(name)) {
        return false;  // a removed node read it: it becomes an output
      }
    }
    return any_released;
  }

  bool drop_once() {
    std::vector<bool> keep(base::at(graph_.node_size()), true);
    for (int i = graph_.node_size() - 1; i >= 0; --i) {
      if (!is_unneeded(graph_.node(i))) continue;
      keep[base::at(i)] = false;
      for (const std::string& name : names_read(graph_.node(i))) {
        --reads_[name];
        release(name);
      }
    }
    std::size_t next = 0;
    return keep_if(*graph_.mutable_node(), [&](const auto&) { return keep[next++]; }) > 0;
  }

  ModelEditor& editor_;
  onnx::GraphProto& graph_;
  std::unordered_map<std::string, int> reads_;
  std::unordered_set<std::string> produced_;
  std::vector<std::string> freed_;
};

}  // namespace

void drop_released(ModelEditor& editor) {
  Dropper(editor, editor.graph()).run();
}

}  // namespace assay::edit
