// The copy of a model that changes are applied to. Remembers what was where before, and which change did what.
#pragma once

#include <onnx/onnx_pb.h>

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "edit/graph_names.h"
#include "edit/model_change.h"
#include "model/model.h"

namespace assay::edit {

class ModelEditor {
 public:
  // Refers to `original`, which must outlive it.
  explicit ModelEditor(const model::Model& original);
  ModelEditor(const ModelEditor&) = delete;
  ModelEditor& operator=(const ModelEditor&) = delete;

  // Null where it is gone.
  onnx::GraphProto* find(const GraphPath& path);
  onnx::NodeProto* find(const NodeRef& node);

  // For the primitives. `change` is the number of the change at work.
  void start_change(int change) { change_ = change; }
  void replace(const onnx::NodeProto& node, std::vector<onnx::NodeProto> with);  // by none: removes it
  void remove_input(const onnx::NodeProto& node, int index) { removed_inputs_[&node].insert(index); }
  void rename_uses(const onnx::GraphProto& graph, const std::string& from, const std::string& to);
  void rename_later(const onnx::GraphProto& graph, const std::map<std::string, std::string>& names);
  // The bodies of an attribute are about to go.
  void forget_bodies(const onnx::AttributeProto& attribute);
  // The change takes this definition of a tensor away; it needs this tensor.
  void note_undefined(const onnx::GraphProto& graph, const std::string& tensor);
  void note_needed(const onnx::GraphProto& graph, const std::string& tensor);
  // What the tensor needs may go as well where nothing else needs it.
  void release(const onnx::GraphProto& graph, const std::string& tensor) { released_[&graph].insert(tensor); }

  // Nodes are put in their places and readers renamed. To be called once, after all primitives.
  void settle();
  void rename_tensors();  // rename_later(); to be called last

  onnx::ModelProto& proto() { return model_.proto; }
  onnx::GraphProto& graph() { return model_.graph(); }
  model::Model& model() { return model_; }
  // Of the original; null for a body that was not in it.
  [[nodiscard]] const GraphNames* names_before(const onnx::GraphProto& graph) const;
  [[nodiscard]] bool had_output_twice(const std::string& name) const;  // before
  [[nodiscard]] bool released(const onnx::GraphProto& graph, const std::string& tensor) const;
  // The changes that took definitions of a tensor away; where there are none, those that need it. In any graph, or in
  // one.
  [[nodiscard]] std::vector<int> to_blame(std::string_view tensor, const onnx::GraphProto* graph = nullptr) const;

 private:
  struct Note {
    const onnx::GraphProto* graph;
    std::string tensor;
    int change;
    bool undefined;
  };
  using NodesByName = std::unordered_map<std::string, std::vector<onnx::NodeProto*>>;
  using Aliases = std::unordered_map<std::string, std::string>;
  struct Scope {  // one graph around a reader
    const GraphNames* names;
    const Aliases* aliases;
  };

  void match(const onnx::GraphProto& original, const onnx::GraphProto& copy);
  void forget(const onnx::GraphProto& graph);
  NodesByName& index(onnx::GraphProto& graph);
  onnx::NodeProto* find_in(onnx::GraphProto& graph, const std::string& name, int nth, const std::string& attribute);
  void place_nodes(onnx::GraphProto& graph);
  void rename_reads(onnx::GraphProto& graph, const NamesByGraph& names, std::vector<Scope>& scopes);
  static void rename(std::string& name, const std::vector<Scope>& scopes);

  const model::Model& original_;
  model::Model model_;
  NamesByGraph before_;                                                           // by graph of the original
  std::unordered_map<const onnx::GraphProto*, const onnx::GraphProto*> origins_;  // of graphs in the copy
  std::unordered_map<const onnx::GraphProto*, NodesByName> nodes_;
  std::unordered_map<const onnx::NodeProto*, std::vector<onnx::NodeProto>> replaced_;
  std::unordered_map<const onnx::NodeProto*, std::unordered_set<int>> removed_inputs_;
  std::unordered_map<const onnx::GraphProto*, Aliases> aliases_, later_names_;
  std::unordered_map<const onnx::GraphProto*, std::unordered_set<std::string>> released_;
  std::vector<Note> notes_;
  int change_ = 0;
};

}  // namespace assay::edit
