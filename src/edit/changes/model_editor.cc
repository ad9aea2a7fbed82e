// Nodes are found through an index of their original names, which holds pointers. Protobuf keeps messages in place
// while a repeated field only grows, so nodes are removed and inserted at the end, all at once. Readers are renamed at
// the end as well, so that a bypass of a tensor to which an earlier bypass leads is followed.
#include "edit/changes/model_editor.h"

#include <algorithm>
#include <utility>

#include "base/at.h"
#include "edit/keep_if.h"
#include "edit/node_names.h"
#include "edit/node_places.h"
#include "edit/rename_tensors.h"
#include "edit/visit_graphs.h"
#include "model/attributes.h"

namespace assay::edit {
namespace {

using model::find_attribute;

}  // namespace

onnx::GraphProto* find_graph(onnx::GraphProto& outer, const GraphPath& path) {
  onnx::GraphProto* graph = &outer;
  for (const GraphPath::Step& step : path.steps) {
    onnx::GraphProto* body = nullptr;
    for (onnx::NodeProto& node : *graph->mutable_node()) {
      onnx::AttributeProto* attribute = name_of(node) == step.node ? find_attribute(node, step.attribute) : nullptr;
      if (body == nullptr && attribute != nullptr && attribute->has_g()) body = attribute->mutable_g();
    }
    if (body == nullptr) return nullptr;
    graph = body;
  }
  return graph;
}

ModelEditor::ModelEditor(const model::Model& original)
    : original_(original), model_(original), before_(collect_names(original.graph())) {
  match(original_.graph(), model_.graph());
}

void ModelEditor::match(const onnx::GraphProto& original, const onnx::GraphProto& copy) {
  origins_[&copy] = &original;
  for (int i = 0; i < original.node_size(); ++i) {
    std::vector<const onnx::GraphProto*> bodies;
    visit_bodies(original.node(i), [&](const onnx::GraphProto& body) { bodies.push_back(&body); });
    if (bodies.empty()) continue;
    std::size_t next = 0;
    visit_bodies(copy.node(i), [&](const onnx::GraphProto& body) { match(*bodies[next++], body); });
  }
}

ModelEditor::NodesByName& ModelEditor::index(onnx::GraphProto& graph) {
  const auto [at, added] = nodes_.try_emplace(&graph);
  if (added) {
    for (onnx::NodeProto& node : *graph.mutable_node()) at->second[name_of(node)].push_back(&node);
  }
  return at->second;
}

onnx::NodeProto* ModelEditor::find_in(onnx::GraphProto& graph, const std::string& name, int nth,
                                      const std::string& attribute) {
  const NodesByName& nodes = index(graph);
  const auto at = nodes.find(name);
  if (at == nodes.end() || name.empty()) return nullptr;
  for (onnx::NodeProto* node : at->second) {
    if (!attribute.empty() && find_attribute(*node, attribute) == nullptr) continue;
    if (nth-- > 0) continue;
    return replaced_.contains(node) ? nullptr : node;
  }
  return nullptr;
}

onnx::GraphProto* ModelEditor::find(const GraphPath& path) {
  onnx::GraphProto* graph = &model_.graph();
  for (const GraphPath::Step& step : path.steps) {
    onnx::NodeProto* node = find_in(*graph, step.node, 0, step.attribute);
    onnx::AttributeProto* attribute = node == nullptr ? nullptr : find_attribute(*node, step.attribute);
    if (attribute == nullptr || !attribute->has_g()) return nullptr;
    graph = attribute->mutable_g();
  }
  return graph;
}

onnx::NodeProto* ModelEditor::find(const NodeRef& node) {
  onnx::GraphProto* graph = find(node.graph);
  onnx::NodeProto* found = graph == nullptr ? nullptr : find_in(*graph, node.output, node.nth, {});
  const bool meant = found != nullptr && (node.op_type.empty() || found->op_type() == node.op_type);
  return meant ? found : nullptr;
}

void ModelEditor::replace(const onnx::NodeProto& node, std::vector<onnx::NodeProto> with) {
  replaced_[&node] = std::move(with);
}

void ModelEditor::rename_uses(const onnx::GraphProto& graph, const std::string& from, const std::string& to) {
  Aliases& aliases = aliases_[&graph];
  std::string end = to;
  for (auto next = aliases.find(end); next != aliases.end() && end != from; next = aliases.find(end)) {
    end = next->second;
  }
  if (end != from) aliases[from] = end;  // false if all nodes of a cycle are bypassed: the last one stays
}

void ModelEditor::rename_later(const onnx::GraphProto& graph, const std::map<std::string, std::string>& names) {
  for (const auto& [from, to] : names) later_names_[&graph].insert_or_assign(from, to);
}

void ModelEditor::forget(const onnx::GraphProto& graph) {
  for (const onnx::NodeProto& node : graph.node()) {
    replaced_.erase(&node);
    removed_inputs_.erase(&node);
    visit_bodies(node, [&](const onnx::GraphProto& body) { forget(body); });
  }
  origins_.erase(&graph);
  nodes_.erase(&graph);
  aliases_.erase(&graph);
  later_names_.erase(&graph);
  released_.erase(&graph);
}

void ModelEditor::forget_bodies(const onnx::AttributeProto& attribute) {
  if (attribute.has_g()) forget(attribute.g());
  for (const onnx::GraphProto& body : attribute.graphs()) forget(body);
}

void ModelEditor::note_undefined(const onnx::GraphProto& graph, const std::string& tensor) {
  if (!tensor.empty()) notes_.push_back({&graph, tensor, change_, true});
}

void ModelEditor::note_needed(const onnx::GraphProto& graph, const std::string& tensor) {
  if (!tensor.empty()) notes_.push_back({&graph, tensor, change_, false});
}

void ModelEditor::place_nodes(onnx::GraphProto& graph) {
  auto& nodes = *graph.mutable_node();
  for (onnx::NodeProto& node : nodes) {
    const auto removed = removed_inputs_.find(&node);
    if (removed == removed_inputs_.end()) continue;
    int index = 0;
    keep_if(*node.mutable_input(), [&](const std::string&) { return !removed->second.contains(index++); });
  }
  const bool touched = std::ranges::any_of(nodes, [&](const auto& node) { return replaced_.contains(&node); });
  if (touched) {
    NodeNames names;
    for (const onnx::NodeProto& node : nodes) {
      if (!replaced_.contains(&node)) names.add(node);
    }
    google::protobuf::RepeatedPtrField<onnx::NodeProto> placed;
    std::vector<onnx::NodeProto*> old(base::at(nodes.size()));
    nodes.ExtractSubrange(0, nodes.size(), old.data());
    for (onnx::NodeProto* node : old) {
      const auto at = replaced_.find(node);
      if (at == replaced_.end()) {
        placed.AddAllocated(node);
        continue;
      }
      for (onnx::NodeProto& next : at->second) {
        names.give(next, next.name());
        *placed.Add() = std::move(next);
      }
      delete node;  // ExtractSubrange() passed ownership to us
    }
    nodes.Swap(&placed);
  }
  for (onnx::NodeProto& node : nodes) {
    visit_bodies(node, [&](onnx::GraphProto& body) { place_nodes(body); });
  }
}

// The innermost graph that knows the name decides, whether it renames or defines it.
void ModelEditor::rename(std::string& name, const std::vector<Scope>& scopes) {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    for (bool found = true; found && scope->aliases != nullptr;) {
      const auto at = scope->aliases->find(name);
      found = at != scope->aliases->end();
      if (found) name = at->second;
    }
    if (scope->names != nullptr && scope->names->defined.contains(name)) return;
  }
}

void ModelEditor::rename_reads(onnx::GraphProto& graph, const NamesByGraph& names, std::vector<Scope>& scopes) {
  const auto aliases = aliases_.find(&graph);
  const auto own = names.find(&graph);
  scopes.push_back(
      {own == names.end() ? nullptr : &own->second, aliases == aliases_.end() ? nullptr : &aliases->second});
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    for (std::string& input : *node.mutable_input()) {
      if (!input.empty()) rename(input, scopes);
    }
    visit_bodies(node, [&](onnx::GraphProto& body) { rename_reads(body, names, scopes); });
  }
  for (onnx::ValueInfoProto& output : *graph.mutable_output()) rename(*output.mutable_name(), scopes);
  scopes.pop_back();
}

void ModelEditor::settle() {
  place_nodes(model_.graph());
  if (aliases_.empty()) return;
  // The names are views of strings that stay valid, except those of readers, and only definitions are looked up below.
  const NamesByGraph names = collect_names(model_.graph());
  std::vector<Scope> scopes;
  rename_reads(model_.graph(), names, scopes);
}

void ModelEditor::rename_tensors() {
  const auto rename_in = [&](const auto& self, onnx::GraphProto& graph) -> void {
    for (onnx::NodeProto& node : *graph.mutable_node()) {
      visit_bodies(node, [&](onnx::GraphProto& body) { self(self, body); });
    }
    if (const auto at = later_names_.find(&graph); at != later_names_.end()) edit::rename_tensors(graph, at->second);
  };
  if (!later_names_.empty()) rename_in(rename_in, model_.graph());
}

bool ModelEditor::had_output_twice(const std::string& name) const {
  return std::ranges::count(original_.graph().output(), name, &onnx::ValueInfoProto::name) > 1;
}

const GraphNames* ModelEditor::names_before(const onnx::GraphProto& graph) const {
  const auto at = origins_.find(&graph);
  return at == origins_.end() ? nullptr : &before_.at(at->second);
}

bool ModelEditor::released(const onnx::GraphProto& graph, const std::string& tensor) const {
  const auto at = released_.find(&graph);
  return at != released_.end() && at->second.contains(tensor);
}

std::vector<int> ModelEditor::to_blame(std::string_view tensor, const onnx::GraphProto* graph) const {
  for (const bool undefined : {true, false}) {
    std::vector<int> changes;
    for (const Note& note : notes_) {
      const bool here = graph == nullptr || note.graph == graph;
      if (note.tensor == tensor && note.undefined == undefined && here) changes.push_back(note.change);
    }
    if (!changes.empty()) return changes;
  }
  return {};
}

}  // namespace assay::edit
