#include "diff/wiring.h"

#include <numeric>

namespace assay::diff {

Wiring::Wiring(const onnx::GraphProto& graph) : view_(graph) {
  const auto tensors = static_cast<std::size_t>(view_.tensor_count());
  const auto id_of = [&](const std::string& name) { return name.empty() ? kNone : view_.find(name); };
  positions_.assign(tensors, kNone);
  use_offsets_.assign(tensors + 1, 0);
  input_offsets_.push_back(0);
  output_offsets_.push_back(0);
  for (NodeId id = 0; id < node_count(); ++id) {
    for (const std::string& name : node(id).input()) {
      inputs_.push_back(id_of(name));
      if (inputs_.back() != kNone) ++use_offsets_[static_cast<std::size_t>(inputs_.back()) + 1];
    }
    for (int i = 0; i < node(id).output_size(); ++i) {
      const TensorId tensor = id_of(node(id).output(i));
      outputs_.push_back(tensor);
      if (tensor == kNone || view_.producer(tensor) != id) continue;
      std::int32_t& position = positions_[static_cast<std::size_t>(tensor)];
      if (position == kNone) position = i;
    }
    input_offsets_.push_back(inputs_.size());
    output_offsets_.push_back(outputs_.size());
  }
  std::partial_sum(use_offsets_.begin(), use_offsets_.end(), use_offsets_.begin());
  uses_.resize(use_offsets_.back());
  std::vector<std::size_t> next(use_offsets_.begin(), use_offsets_.end() - 1);
  for (NodeId id = 0; id < node_count(); ++id) {
    const auto read = inputs(id);
    for (std::size_t i = 0; i < read.size(); ++i) {
      if (read[i] == kNone) continue;
      uses_[next[static_cast<std::size_t>(read[i])]++] = {id, static_cast<std::int32_t>(i)};
    }
  }
  if (auto sorted = model::topological_order(view_)) {
    order_ = *std::move(sorted);
  } else {
    order_.resize(static_cast<std::size_t>(node_count()));
    std::iota(order_.begin(), order_.end(), 0);
  }
}

bool Wiring::is_outer(TensorId id) const {
  return view_.producer(id) == kNone && !view_.is_graph_input(id) && !view_.is_initializer(id);
}

}  // namespace assay::diff
