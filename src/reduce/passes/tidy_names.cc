// Tidies what only people read: names, doc strings, metadata, and declarations that nothing needs. Each kind is one
// change. Nodes are renamed to n0, n1 ..., tensors to t0, t1 ..., in the order of the file and without reusing names
// that exist already. The inputs and outputs of the model keep their names, since checks feed and compare by them.
#include <array>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "edit/node_places.h"
#include "edit/rename_tensors.h"
#include "reduce/passes/node_passes.h"

namespace assay::reduce {
namespace {

constexpr std::array<std::pair<edit::Detail, const char*>, 7> kDetails = {{
    {edit::Detail::unused_functions, "functions that nothing calls removed"},
    {edit::Detail::unused_opsets, "operator sets that nothing uses removed"},
    {edit::Detail::value_infos, "declared types of inner tensors removed"},
    {edit::Detail::quantization, "quantization annotations removed"},
    {edit::Detail::metadata, "metadata removed"},
    {edit::Detail::doc_strings, "doc strings removed"},
    {edit::Detail::producer, "name of the producer removed"},
}};

bool is_short(const std::string& name, char first) {
  return name.size() > 1 && name[0] == first && name.find_first_not_of("0123456789", 1) == std::string::npos;
}

// Returns unused names: `first` and a number.
class ShortNames {
 public:
  ShortNames(char first, std::set<std::string> taken) : first_(first), taken_(std::move(taken)) {}
  std::string next() {
    std::string name;
    do {
      name = first_ + std::to_string(count_++);
    } while (taken_.contains(name));
    return name;
  }

 private:
  char first_;
  std::set<std::string> taken_;
  int count_ = 0;
};

edit::ModelChange rename_nodes(const std::vector<edit::NodePlace>& places) {
  std::set<std::string> taken;
  for (const edit::NodePlace& place : places) taken.insert(place.node->name());
  ShortNames names('n', std::move(taken));
  edit::ModelChange change{"short names for nodes", {}};
  for (const edit::NodePlace& place : places) {
    if (place.node->name().empty() || is_short(place.node->name(), 'n')) continue;
    change.primitives.push_back(edit::RenameNode{place.ref, names.next()});
  }
  return change;
}

class TensorRenamer {
 public:
  explicit TensorRenamer(const onnx::GraphProto& graph) : graph_(graph), names_('t', all_names(graph)) {
    for (const onnx::ValueInfoProto& value : graph.input()) kept_.insert(value.name());
    for (const onnx::ValueInfoProto& value : graph.output()) kept_.insert(value.name());
  }

  edit::ModelChange rename() {
    rename(graph_, {});
    return std::move(change_);
  }

 private:
  static std::set<std::string> all_names(const onnx::GraphProto& graph) {
    std::set<std::string> names;
    edit::visit_all_names(graph, [&](const std::string& name) { names.insert(name); });
    for (const edit::NodePlace& place : edit::node_places(graph)) {  // also names that nothing defines
      names.insert(place.node->input().begin(), place.node->input().end());
    }
    return names;
  }

  void rename(const onnx::GraphProto& graph, const edit::GraphPath& path) {
    edit::RenameTensors renames{path, {}};
    edit::visit_own_names(graph, [&](const std::string& name) {
      const bool kept = &graph == &graph_ && kept_.contains(name);
      if (kept || is_short(name, 't') || renames.names.contains(name)) return;
      renames.names.emplace(name, names_.next());
    });
    if (!renames.names.empty()) change_.primitives.emplace_back(std::move(renames));
    for (const onnx::NodeProto& node : graph.node()) {
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g()) rename_body(attribute.g(), path, node, attribute.name());
      }
    }
  }

  void rename_body(const onnx::GraphProto& body, edit::GraphPath path, const onnx::NodeProto& node,
                   const std::string& attribute) {
    const std::string name = edit::name_of(node);
    if (name.empty()) return;
    path.steps.push_back({name, attribute});
    rename(body, path);
  }

  const onnx::GraphProto& graph_;
  ShortNames names_;
  std::set<std::string> kept_;
  edit::ModelChange change_{"short names for tensors", {}};
};

}  // namespace

std::vector<edit::ModelChange> tidy_names(const PassInput& input) {
  const onnx::GraphProto& graph = input.model.graph();
  std::vector<edit::ModelChange> changes;
  const edit::ValueInfos nothing;
  for (const auto& [detail, what] : kDetails) {
    edit::ModelChange change{what, {edit::RemoveDetail{detail}}};
    if (edit::apply(input.model, {&change}, nothing).applied > 0) changes.push_back(std::move(change));
  }
  for (edit::ModelChange& change : std::vector{rename_nodes(edit::node_places(graph)), TensorRenamer(graph).rename()}) {
    if (!change.primitives.empty()) changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace assay::reduce
