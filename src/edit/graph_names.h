// Which names a graph and its bodies define, read and give back.
#pragma once

#include <onnx/onnx_pb.h>

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace assay::edit {

struct GraphNames {
  using Set = std::unordered_set<std::string_view>;
  Set defined;  // inputs, initializers, and what nodes make
  Set made;     // by nodes
  Set read;     // by nodes, and by their bodies where they mean a tensor of this or an outer graph
  Set outputs;
  std::vector<std::string_view> undefined;  // in `read` and not in `defined`, in order of first use

  [[nodiscard]] bool uses(std::string_view name) const { return read.contains(name) || outputs.contains(name); }
};

using NamesByGraph = std::unordered_map<const onnx::GraphProto*, GraphNames>;

// Of the graph and of all bodies in it. Views of the messages' own strings. Names may be defined twice or nowhere, in
// any order: a name that a graph defines anywhere is its own.
NamesByGraph collect_names(const onnx::GraphProto& graph);

// Keeps the elements that `keep` accepts, in their order; says whether any went.
template <class Field, class Keep>
bool keep_if(Field& field, const Keep& keep) {
  int kept = 0;
  for (int i = 0; i < field.size(); ++i) {
    if (!keep(field.Get(i))) continue;
    if (kept != i) field.SwapElements(kept, i);
    ++kept;
  }
  const int dropped = field.size() - kept;
  if (dropped > 0) field.DeleteSubrange(kept, dropped);
  return dropped > 0;
}

}  // namespace assay::edit
