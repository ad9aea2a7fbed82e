// Weights are read from their files and written to a temporary one in pieces, so memory doesn't grow with their size.
#include "surgeon/weights/prune_weights.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "model/graph_view.h"
#include "model/weights/multiplied_weights.h"
#include "model/weights/read_in_pieces.h"
#include "model/weights/spill_weights.h"
#include "surgeon/weights/sparse_groups.h"

namespace assay::surgeon {

base::Expected<PrunedWeights> prune_weights(model::Model& model, const base::Stop& stop) {
  const auto sparse_groups = find_sparse_groups(model);
  PrunedWeights result;
  const model::GraphView view(model.graph());
  for (const model::MultipliedSparseWeight& found : model::find_multiplied_sparse_weights(view)) {
    const std::string& name = found.weight->values().name();
    if (std::ranges::find(result.stored_sparse, name) == result.stored_sparse.end()) {
      result.stored_sparse.push_back(name);
    }
  }
  model::WeightSpill spill(model);
  std::vector<std::byte> piece;
  for (onnx::TensorProto& weight : *model.graph().mutable_initializer()) {
    const auto groups = sparse_groups.find(&weight);
    if (groups == sparse_groups.end()) continue;
    ASSAY_TRY(
        model::read_in_pieces(model, weight, rows_at_a_time(groups->second), [&](std::span<const std::byte> rows) {
          piece.assign(rows.begin(), rows.end());
          prune(piece, groups->second);
          spill.write(piece);
          return !stop.requested();
        }));
    if (stop.requested()) return base::fail(base::ErrorKind::interrupted, "stopped; no model was written");
    spill.end(weight);
    result.pruned.push_back(weight.name());
  }
  ASSAY_TRY(spill.finish(model));
  return result;
}

}  // namespace assay::surgeon
