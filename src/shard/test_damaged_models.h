// Invalid forms of a model, for tests: none of them may crash what reads it.
#pragma once

#include <utility>
#include <vector>

#include "model/model.h"

namespace assay::shard::test {

// Returns a model for each operand of each node, in which it is omitted, and one in which it and all after it are
// missing.
inline std::vector<model::Model> damaged_models(const model::Model& whole) {
  using Operands = google::protobuf::RepeatedPtrField<std::string>;
  std::vector<model::Model> damaged;
  const auto damage = [&](const auto& operands_of) {
    model::Model cut = whole;
    for (Operands& operands = operands_of(cut); !operands.empty();) {
      model::Model omitted = whole;
      operands_of(omitted).Mutable(operands.size() - 1)->clear();
      damaged.push_back(std::move(omitted));
      operands.RemoveLast();
      damaged.push_back(cut);
    }
  };
  for (int at = 0; at < whole.graph().node_size(); ++at) {
    damage([at](model::Model& model) -> Operands& { return *model.graph().mutable_node(at)->mutable_input(); });
    damage([at](model::Model& model) -> Operands& { return *model.graph().mutable_node(at)->mutable_output(); });
  }
  return damaged;
}

}  // namespace assay::shard::test
