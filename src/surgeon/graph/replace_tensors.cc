#include "surgeon/graph/replace_tensors.h"

#include "edit/keep_if.h"
#include "edit/rename_tensors.h"
#include "edit/visit_graphs.h"

namespace assay::surgeon {

TensorReplacement::TensorReplacement(onnx::GraphProto& graph) : graph_(graph) {
  for (const onnx::ValueInfoProto& output : graph.output()) outputs_.insert(output.name());
  for (const onnx::NodeProto& node : graph.node()) {
    edit::visit_bodies(node, [&](const onnx::GraphProto& body) {
      edit::visit_all_names(body, [&](const std::string& name) { in_bodies_.insert(name); });
    });
  }
}

const std::string& TensorReplacement::resolve(const std::string& name) const {
  const std::string* last = &name;
  for (auto at = replaced_.find(name); at != replaced_.end(); at = replaced_.find(*last)) last = &at->second;
  return *last;
}

bool TensorReplacement::can_replace(const std::string& name, const std::string& by) const {
  const std::string& last = resolve(by);
  return !last.empty() && last != name && !outputs_.contains(name) && !in_bodies_.contains(last) &&
         !replaced_.contains(name);
}

void TensorReplacement::apply(const std::vector<bool>& removed) {
  edit::Renames renames;
  for (const auto& [name, by] : replaced_) renames.emplace(name, resolve(by));
  edit::keep_if(*graph_.mutable_node(), [next = removed.begin()](const auto&) mutable { return !*next++; });
  edit::keep_if(*graph_.mutable_initializer(), [&](const auto& weight) { return !renames.contains(weight.name()); });
  edit::keep_if(*graph_.mutable_value_info(), [&](const auto& value) { return !renames.contains(value.name()); });
  edit::rename_tensors(graph_, renames);
}

}  // namespace assay::surgeon
