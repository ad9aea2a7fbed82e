// Types and shapes that a graph declares for its tensors, seen from inside: a body sees those of the graphs around it
// too.
#pragma once

#include <onnx/onnx_pb.h>

#include <string_view>
#include <unordered_map>

#include "model/shapes.h"

namespace assay::surgeon {

// Refers to the graph's messages; valid while they live unchanged.
class KnownShapes {
 public:
  explicit KnownShapes(const onnx::GraphProto& graph, const KnownShapes* outer = nullptr);

  // Says nothing where nothing is known, or the name stands for no tensor.
  [[nodiscard]] model::TensorInfo find(std::string_view name) const;

 private:
  struct Entry {
    const onnx::ValueInfoProto* value = nullptr;
    const onnx::TensorProto* weight = nullptr;
  };
  const KnownShapes* outer_;
  std::unordered_map<std::string_view, Entry> names_;  // an entry without either: defined here, shape not known
};

}  // namespace assay::surgeon
