// Looks up types and shapes that a graph declares for its tensors, or that its weights have. A body also sees those of
// the graphs around it.
#pragma once

#include <onnx/onnx_pb.h>

#include <string_view>
#include <unordered_map>

#include "model/shapes.h"

namespace assay::surgeon {

// Refers to the graph's messages; valid while they live and don't change.
class KnownShapes {
 public:
  explicit KnownShapes(const onnx::GraphProto& graph, const KnownShapes* outer = nullptr);

  // Returns an empty info if nothing is known or the name doesn't stand for a tensor.
  [[nodiscard]] model::TensorInfo find(std::string_view name) const;

 private:
  struct Entry {
    const onnx::ValueInfoProto* value = nullptr;
    const onnx::TensorProto* weight = nullptr;
    bool is_input = false;  // its weight is only a default, and what callers set may have another shape
  };
  const KnownShapes* outer_;
  std::unordered_map<std::string_view, Entry> names_;  // an entry without either: defined here, unknown shape
};

}  // namespace assay::surgeon
