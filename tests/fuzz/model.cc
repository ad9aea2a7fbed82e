// A model file, with a file of external data next to it, as every command loads it.
#include "model/load.h"

#include <algorithm>
#include <string>

#include "model/graph_view.h"
#include "model/inference/infer_shapes.h"
#include "model/serialize.h"
#include "model/shapes.h"
#include "model/visit_tensors.h"
#include "model/weights.h"
#include "tests/fuzz/fuzz.h"

namespace {
using namespace assay;

void look_at(const model::GraphView& view) {
  for (model::NodeId node = 0; node < view.node_count(); ++node) {
    for (const model::TensorId tensor : view.inputs(node)) {
      const auto readers = view.consumers(tensor);
      fuzz::require(std::find(readers.begin(), readers.end(), node) != readers.end(),
                    "a node is a consumer of what it reads");
    }
    for (const model::TensorId tensor : view.outputs(node)) {
      fuzz::require(view.producer(tensor) != model::kNone || view.is_graph_input(tensor) || view.is_initializer(tensor),
                    "what a node produces has a producer");
    }
  }
  const auto order = model::topological_order(view);
  fuzz::require(!order || order->size() == static_cast<std::size_t>(view.node_count()),
                "a topological order has all nodes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto external = fuzz::scratch_file("weights.bin", std::string(4096, 'w'));
  const auto model = model::load(fuzz::scratch_file("model.onnx", fuzz::text_of(data, size)));
  if (!model) return 0;
  look_at(model::GraphView(model->graph()));
  model::known_tensors(*model);
  model::default_opset(model->proto);
  model::visit_tensors(model->proto, [&](const onnx::TensorProto& tensor, model::TensorRole) {
    const auto read = model::read_weight(*model, tensor);
  });
  model::inferred_values(*model);
  const auto bytes = model::serialize(*model);
  if (!bytes) return 0;
  const auto again = model::load(fuzz::scratch_file("saved.onnx", *bytes));
  fuzz::require(again && again->graph().node_size() == model->graph().node_size(), "a saved model can be loaded");
  return 0;
}
