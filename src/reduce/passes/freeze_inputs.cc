// Turns graph inputs into initializers if a value of their declared type was recorded.
#include "edit/fits.h"
#include "model/graph_view.h"
#include "model/shapes.h"
#include "model/weights.h"
#include "reduce/passes/node_passes.h"

namespace assay::reduce {

std::vector<edit::ModelChange> freeze_inputs(const PassInput& input) {
  const model::GraphView view(input.model.graph());
  std::vector<edit::ModelChange> changes;
  for (const onnx::ValueInfoProto& value : input.model.graph().input()) {
    const tensor::Tensor* recorded = input.values.find(value.name());
    const bool fed = view.is_graph_input(view.find(value.name()));  // and not an initializer
    if (recorded == nullptr || !fed || !edit::fits(*recorded, model::tensor_info(value))) continue;
    changes.push_back({"input '" + value.name() + "' frozen to its recorded value",
                       {edit::SetInitializer{{}, model::to_proto(value.name(), *recorded)}}});
  }
  return changes;
}

}  // namespace assay::reduce
