// Removes nodes whose results other tensors have as well: what reads the one then reads the other.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace assay::surgeon {

// Collects which tensors of one graph are replaced, and replaces all of them at once.
class TensorReplacement {
 public:
  // Refers to the graph, which must not change before apply().
  explicit TensorReplacement(onnx::GraphProto& graph);

  // Returns the tensor that takes the place of this one, or the name itself.
  [[nodiscard]] const std::string& resolve(const std::string& name) const;
  // Returns false if readers of `name` can't read `by` instead: because `name` is an output of the graph, because a
  // body has another tensor that is called `by`, or because `by` is replaced by `name`.
  [[nodiscard]] bool can_replace(const std::string& name, const std::string& by) const;
  // Requires can_replace().
  void replace(const std::string& name, const std::string& by) { replaced_.emplace(name, resolve(by)); }
  // Removes these nodes (by position), and initializers and value infos of tensors that are replaced, and renames.
  void apply(const std::vector<bool>& removed);

 private:
  onnx::GraphProto& graph_;
  std::unordered_set<std::string> outputs_;
  std::unordered_set<std::string> in_bodies_;  // names that bodies define
  std::unordered_map<std::string, std::string> replaced_;
};

}  // namespace assay::surgeon
