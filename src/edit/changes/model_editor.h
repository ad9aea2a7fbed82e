// The copy of a model to which changes are applied. Records what the model was like before, and which change did what.
#pragma once

#include <onnx/onnx_pb.h>

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "edit/changes/model_change.h"
#include "edit/graph_names.h"
#include "model/model.h"

namespace assay::edit {

// Returns the graph at `path`, seen from the outer graph; null if there is none.
onnx::GraphProto* find_graph(onnx::GraphProto& outer, const GraphPath& path);

class ModelEditor {
 public:
  // Refers to `original`, which must outlive it.
  explicit ModelEditor(const model::Model& original);
  ModelEditor(const ModelEditor&) = delete;
  ModelEditor& operator=(const ModelEditor&) = delete;

  // Return null if the graph or node no longer exists.
  onnx::GraphProto* find(const GraphPath& path);
  onnx::NodeProto* find(const NodeRef& node);

  // For the primitives. `change` is the index of the change being applied.
  void start_change(int change) { change_ = change; }
  void replace(const onnx::NodeProto& node, std::vector<onnx::NodeProto> with);  // empty: removes the node
  void remove_input(const onnx::NodeProto& node, int index) { removed_inputs_[&node].insert(index); }
  void rename_uses(const onnx::GraphProto& graph, const std::string& from, const std::string& to);
  void rename_later(const onnx::GraphProto& graph, const std::map<std::string, std::string>& names);
  // Must be called before the bodies of an attribute are removed.
  void forget_bodies(const onnx::AttributeProto& attribute);
  // Record that the current change removes this definition of a tensor, or that it needs this tensor.
  void note_undefined(const onnx::GraphProto& graph, const std::string& tensor);
  void note_needed(const onnx::GraphProto& graph, const std::string& tensor);
  // Allows tidying to remove what only this tensor needs.
  void release(const onnx::GraphProto& graph, const std::string& tensor) { released_[&graph].insert(tensor); }

  // Moves nodes to their places and renames readers. Call it once, after all primitives.
  void settle();
  void rename_tensors();  // performs rename_later(); call it last

  onnx::ModelProto& proto() { return model_.proto; }
  onnx::GraphProto& graph() { return model_.graph(); }
  model::Model& model() { return model_; }
  // Returns the names of the graph in the original, or null for a body that was not in it.
  [[nodiscard]] const GraphNames* names_before(const onnx::GraphProto& graph) const;
  [[nodiscard]] bool had_output_twice(const std::string& name) const;  // in the original
  [[nodiscard]] bool released(const onnx::GraphProto& graph, const std::string& tensor) const;
  // Returns the changes that removed definitions of a tensor or, if there are none, those that need it; in `graph`, or
  // in any graph if that is null.
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
  struct Scope {  // a graph that encloses a reader
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
  std::unordered_map<const onnx::GraphProto*, const onnx::GraphProto*> origins_;  // by graph of the copy
  std::unordered_map<const onnx::GraphProto*, NodesByName> nodes_;
  std::unordered_map<const onnx::NodeProto*, std::vector<onnx::NodeProto>> replaced_;
  std::unordered_map<const onnx::NodeProto*, std::unordered_set<int>> removed_inputs_;
  std::unordered_map<const onnx::GraphProto*, Aliases> aliases_, later_names_;
  std::unordered_map<const onnx::GraphProto*, std::unordered_set<std::string>> released_;
  std::vector<Note> notes_;
  int change_ = 0;
};

}  // namespace assay::edit
