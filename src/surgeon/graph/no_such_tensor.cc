#include "surgeon/graph/no_such_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/list_first.h"
#include "base/similar_names.h"
#include "base/strings.h"
#include "edit/visit_graphs.h"
#include "model/model.h"

namespace assay::surgeon {
namespace {

constexpr std::size_t kMostListed = 8;  // tensors in one message

bool computes_inside(const onnx::NodeProto& node, const std::string& tensor) {
  bool found = false;
  edit::visit_bodies(node, [&](const onnx::GraphProto& body) {
    for (const onnx::NodeProto& inner : body.node()) {
      found =
          found || std::ranges::find(inner.output(), tensor) != inner.output().end() || computes_inside(inner, tensor);
    }
  });
  return found;
}

}  // namespace

std::vector<std::string> similar_names(const model::GraphView& view, const std::string& name, std::size_t most) {
  std::vector<std::string> names;
  for (model::TensorId id = 0; id < view.tensor_count(); ++id) names.emplace_back(view.name(id));
  // All letters differ by one letter, so they resemble each other only in case.
  if (name.size() == 1) {
    std::erase_if(names, [&](const std::string& other) { return base::to_lower(other) != base::to_lower(name); });
  }
  return base::similar_names(names, name, most);
}

base::Error no_such_tensor(const model::GraphView& view, const std::string& name, const std::string& option) {
  for (model::NodeId id = 0; id < view.node_count(); ++id) {
    if (!computes_inside(view.node(id), name)) continue;
    return {base::ErrorKind::unsupported,
            fmt::format("the tensor '{}' is in a body of {}", name, model::describe_node(view.node(id), id)), option,
            "Choose tensors of the main graph, such as the inputs and outputs of that node"};
  }
  std::vector<std::string> names = similar_names(view, name);
  std::string fix;
  if (!names.empty()) {
    fix = "Did you mean " + base::join(names, ", ") + "?";
  } else {
    for (model::TensorId id = 0; id < view.tensor_count(); ++id) names.emplace_back(view.name(id));
    fix = fmt::format("Available: {}; `assay inspect model --show layers` lists all",
                      base::list_first(std::move(names), kMostListed, ", "));
  }
  return {base::ErrorKind::not_found, fmt::format("the model has no tensor '{}'", name), option, std::move(fix)};
}

}  // namespace assay::surgeon
