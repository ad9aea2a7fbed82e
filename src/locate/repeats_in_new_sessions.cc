#include "locate/repeats_in_new_sessions.h"

#include "edit/visit_graphs.h"
#include "model/random_operators.h"

namespace assay::locate {
namespace {

// Counts the nodes that draw random numbers, with and without a seed.
struct RandomNodes {
  int seeded = 0;
  int unseeded = 0;

  void count(const onnx::NodeProto& node) {
    if (model::draws_random_numbers(node)) ++(model::has_seed(node) ? seeded : unseeded);
    edit::visit_bodies(node, [this](const onnx::GraphProto& body) {
      for (const onnx::NodeProto& inner : body.node()) count(inner);
    });
  }
};

}  // namespace

bool repeats_in_new_sessions(const model::Model& model) {
  RandomNodes nodes;
  for (const onnx::NodeProto& node : model.graph().node()) nodes.count(node);
  for (const onnx::FunctionProto& function : model.proto.functions()) {
    for (const onnx::NodeProto& node : function.node()) nodes.count(node);
  }
  return nodes.seeded > 0 && nodes.unseeded == 0;
}

}  // namespace assay::locate
