// Leaves the original's defects alone: each step compares the names that the graph now defines and reads with those
// from before the change.
#include "edit/changes/tidy_model.h"

#include <algorithm>
#include <string>
#include <vector>

#include "edit/changes/drop_released.h"
#include "edit/changes/known_value_infos.h"
#include "edit/keep_if.h"
#include "edit/non_tensors.h"
#include "edit/tensor_facts.h"
#include "edit/visit_graphs.h"

namespace assay::edit {
namespace {

class Tidier {
 public:
  Tidier(ModelEditor& editor, const ValueInfos& known)
      : editor_(editor), known_(known), graph_(editor.graph()), before_(*editor.names_before(graph_)) {}

  std::set<int> run() {
    drop_released(editor_);
    now_ = collect_names(graph_);
    drop_undefined_outputs();
    std::vector<const onnx::GraphProto*> around;
    blame_in_bodies(graph_, around);
    add_inputs();
    if (!blamed_.empty()) return blamed_;
    add_outputs();
    drop_unread(graph_);
    return {};
  }

 private:
  const GraphNames& now() const { return now_.at(&graph_); }

  // Bypassing can turn two outputs into the same tensor, or an output into an input.
  void drop_undefined_outputs() {
    std::set<std::string> seen;
    keep_if(*graph_.mutable_output(), [&](const onnx::ValueInfoProto& output) {
      const std::string& name = output.name();
      const bool gone = before_.defined.contains(name) && !now().defined.contains(name);
      const bool passed_through = !before_.outputs.contains(name) && !now().produced.contains(name);
      const bool twice = !seen.insert(name).second && !editor_.had_output_twice(name);
      return !gone && !passed_through && !twice;
    });
    GraphNames::Set& outputs = now_.at(&graph_).outputs;  // some of these views point to removed names
    outputs.clear();
    for (const auto& output : graph_.output()) outputs.insert(output.name());
  }

  void blame_in_bodies(const onnx::GraphProto& graph, std::vector<const onnx::GraphProto*>& around) {
    if (const GraphNames* before = editor_.names_before(graph); !around.empty() && before != nullptr) {
      blame_undefined_outputs(graph, *before);
      blame_other_meanings(graph, *before, around);
    }
    around.push_back(&graph);
    for (const onnx::NodeProto& node : graph.node()) {
      visit_bodies(node, [&](const onnx::GraphProto& body) { blame_in_bodies(body, around); });
    }
    around.pop_back();
  }

  // The caller of a body counts its outputs, so none can be left out.
  void blame_undefined_outputs(const onnx::GraphProto& body, const GraphNames& before) {
    for (const auto& output : body.output()) {
      const bool stood_before = before.outputs.contains(output.name()) && !before.defined.contains(output.name());
      if (!now_.at(&body).defined.contains(output.name()) && !stood_before) blame(output.name(), &body);
    }
  }

  // A name that a node of the body defined must not start to mean a tensor of the same name further out.
  void blame_other_meanings(const onnx::GraphProto& body, const GraphNames& before,
                            const std::vector<const onnx::GraphProto*>& around) {
    for (const std::string_view name : now_.at(&body).undefined) {
      const bool defined_around = std::ranges::any_of(
          around, [&](const onnx::GraphProto* graph) { return now_.at(graph).defined.contains(name); });
      if (before.produced.contains(name) && defined_around) blame(name, &body);
    }
  }

  void blame(std::string_view tensor, const onnx::GraphProto* graph = nullptr) {
    const std::vector<int> changes = editor_.to_blame(tensor, graph);
    blamed_.insert(changes.begin(), changes.end());
  }

  // Returns true if a body has its own tensor of that name, unless the outer graph defined the name before.
  bool hidden_in_a_body(std::string_view name) const {
    if (before_.defined.contains(name)) return false;
    return std::ranges::any_of(now_, [&](const auto& item) { return item.second.defined.contains(name); });
  }

  void add_inputs() {
    const GraphNames::Set undefined_before(before_.undefined.begin(), before_.undefined.end());
    std::set<std::string, std::less<>> added;
    for (const std::string_view name : now().undefined) {
      if (undefined_before.contains(name)) continue;
      const onnx::ValueInfoProto* value = find_known(known_, name);
      const bool can_be_fed = names_rank(value) && value->type().has_tensor_type();
      if (!can_be_fed || hidden_in_a_body(name)) {
        blame(name);
        continue;
      }
      *graph_.add_input() = *value;
      added.emplace(name);
    }
    keep_if(*graph_.mutable_value_info(), [&](const auto& value) { return !added.contains(value.name()); });
  }

  // No engine returns the values of sequences, optionals and maps in a form that can be compared. So these become
  // outputs only if the model would have none otherwise, which engines reject.
  void add_outputs() {
    std::set<std::string> added;
    std::vector<const onnx::ValueInfoProto*> others;
    for (const onnx::NodeProto& node : graph_.node()) {
      for (const std::string& name : node.output()) {
        if (name.empty() || now().uses(name) || !before_.read.contains(name) || !before_.produced.contains(name))
          continue;
        if (editor_.released(graph_, name) || !added.insert(name).second) continue;
        const onnx::ValueInfoProto* value = find_known(known_, name);
        if (value != nullptr && !may_be_tensor(value->type())) {
          others.push_back(value);
          continue;
        }
        onnx::ValueInfoProto& output = *graph_.add_output();
        if (value != nullptr) output = *value;
        output.set_name(name);
      }
    }
    if (graph_.output().empty() && !before_.outputs.empty()) {
      for (const onnx::ValueInfoProto* value : others) *graph_.add_output() = *value;
    }
    keep_if(*graph_.mutable_value_info(), [&](const auto& value) { return !added.contains(value.name()); });
  }

  // Removes unread initializers and, in the outer graph, inputs; and descriptions of removed tensors.
  void drop_unread(onnx::GraphProto& graph) {
    for (onnx::NodeProto& node : *graph.mutable_node()) {
      visit_bodies(node, [&](onnx::GraphProto& body) { drop_unread(body); });
    }
    const GraphNames* before = editor_.names_before(graph);
    if (before == nullptr) return;
    const GraphNames& names = now_.at(&graph);
    const auto stays = [&](const std::string& name) { return names.uses(name) || !before->uses(name); };
    const auto still_exists = [&](const std::string& name) {
      return !before->defined.contains(name) || (names.defined.contains(name) && stays(name));
    };
    keep_if(*graph.mutable_value_info(), [&](const auto& value) { return still_exists(value.name()); });
    keep_if(*graph.mutable_quantization_annotation(),
            [&](const auto& note) { return still_exists(note.tensor_name()); });
    // The names in `names.defined` are invalid once their owners are removed, so they aren't used from here on.
    keep_if(*graph.mutable_initializer(), [&](const auto& tensor) { return stays(tensor.name()); });
    keep_if(*graph.mutable_sparse_initializer(), [&](const auto& sparse) { return stays(sparse.values().name()); });
    if (&graph == &graph_) {
      keep_if(*graph.mutable_input(), [&](const auto& input) { return stays(input.name()); });
    }
  }

  ModelEditor& editor_;
  const ValueInfos& known_;
  onnx::GraphProto& graph_;
  const GraphNames& before_;
  NamesByGraph now_;
  std::set<int> blamed_;
};

}  // namespace

std::set<int> tidy(ModelEditor& editor, const ValueInfos& known) {
  return Tidier(editor, known).run();
}

}  // namespace assay::edit
