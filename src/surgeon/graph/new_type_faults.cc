#include "surgeon/graph/new_type_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "base/list_first.h"
#include "model/inference/type_faults.h"

namespace assay::surgeon {
namespace {

constexpr std::size_t kListed = 3;

std::string_view first_output(const onnx::NodeProto& node) {
  return node.output().empty() ? std::string_view() : std::string_view(node.output(0));
}

bool breaks(const model::TypeFault& fault) {
  return fault.kind != model::TypeFault::Kind::declared_shape;
}

}  // namespace

std::vector<std::string> new_type_faults(const model::Model& before, const model::Model& after) {
  auto found = model::find_type_faults(after).faults;
  if (found.empty()) return {};
  std::ranges::stable_sort(found, {}, &model::TypeFault::kind);  // wrong inputs explain wrong results
  std::set<std::string_view> known;
  for (const model::TypeFault& fault : model::find_type_faults(before).faults) {
    if (breaks(fault)) known.insert(first_output(before.graph().node(fault.node)));
  }
  std::vector<std::string> texts;
  for (const model::TypeFault& fault : found) {
    const onnx::NodeProto& node = after.graph().node(fault.node);
    if (!breaks(fault) || !known.insert(first_output(node)).second) continue;
    texts.push_back(fmt::format("{}: {}", model::describe_node(node, fault.node), fault.message));
  }
  return texts;
}

std::string list_new_type_faults(const model::Model& before, const model::Model& after) {
  return base::list_first(new_type_faults(before, after), kListed, "; ");
}

}  // namespace assay::surgeon
