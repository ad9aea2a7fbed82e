#include "locate/repeats_in_new_sessions.h"

#include "edit/visit_graphs.h"
#include "model/random_operators.h"

namespace assay::locate {

bool repeats_in_new_sessions(const model::Model& model) {
  int seeded = 0, unseeded = 0;
  const auto count = [&](const onnx::NodeProto& node) {
    if (model::draws_random_numbers(node)) ++(model::has_seed(node) ? seeded : unseeded);
  };
  edit::visit_nodes(model.graph().node(), count);
  for (const onnx::FunctionProto& function : model.proto.functions()) edit::visit_nodes(function.node(), count);
  return seeded > 0 && unseeded == 0;
}

}  // namespace assay::locate
