// Chooses names for tensors that are added to a graph.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <unordered_set>

namespace assay::edit {

// The names of the tensors of a graph and of its bodies: a body can't define a name that is visible around it.
class TensorNames {
 public:
  TensorNames() = default;
  explicit TensorNames(const onnx::GraphProto& graph);

  // Returns false if a tensor has the name already.
  bool add(const std::string& name) { return taken_.insert(name).second; }

  // Adds and returns `wanted` or, if a tensor has that name, `wanted` with a number: the lowest unused one from
  // `first`.
  std::string take(const std::string& wanted, int first = 2);

 private:
  std::unordered_set<std::string> taken_;
};

}  // namespace assay::edit
