#include "cli/steps/tensorrt_network.h"

#include "cli/options/tensorrt_options.h"
#include "inspect/network_model.h"
#include "run/ask_network.h"

namespace assay::cli {

base::Expected<model::Model> load_network(const EngineOptions& tensorrt, const ModelOptions& model,
                                          const worker::ModelSource& source, bool values, Context& context) {
  if (values && model.is_network_script()) {
    return base::fail(base::ErrorKind::unsupported, "the values of weights are read from ONNX models only",
                      model.file(), "Give the ONNX model, or leave the weights out");
  }
  ASSAY_ASSIGN(auto engines, tensorrt.setups(context.installation));
  ASSAY_TRY(set_tensorrt_model(engines, model, context.installation));
  if (!values) {
    ASSAY_ASSIGN(const auto network, run::ask_network(engines.front(), source, context.pool));
    return inspect::network_model(network);
  }
  ASSAY_ASSIGN(const auto asked, run::ask_network_and_weights(engines.front(), source, context.pool));
  return inspect::network_model(asked.network, asked.weights);
}

}  // namespace assay::cli
