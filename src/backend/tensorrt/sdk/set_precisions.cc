// With most patterns, users mean the layers that compute with floats. A network also has layers that compute integers,
// booleans or shapes, for example of what ONNX's Shape and Gather do, and TensorRT doesn't build an engine in which one
// of them has to compute in a float. So patterns skip them; NVIDIA's trtexec skips the same ones. A name stands for its
// layer in any case.
#include "backend/tensorrt/sdk/headers.h"
#if ASSAY_TENSORRT_UNTIL_10
#include "backend/tensorrt/sdk/set_precisions.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "backend/tensorrt/sdk/apply_profiles.h"
#include "backend/tensorrt/sdk/match_names.h"
#include "base/list_first.h"

namespace assay::backend {
namespace {

using nvinfer1::DataType;
using nvinfer1::ILayer;
using nvinfer1::ITensor;
using worker::Phase;

constexpr std::size_t kMostListed = 8;  // layers in one message

bool is_whole(DataType type) {
  return type == DataType::kINT32 || type == DataType::kINT64 || type == DataType::kBOOL || type == DataType::kUINT8;
}

bool computes_floats(const ILayer& layer, TensorRtLogger& logger) {
  const ITensor* input = layer.getInput(0);  // null if there is none, as for constants
  const ITensor* output = layer.getOutput(0);
  if (layer.getType() == nvinfer1::LayerType::kSHAPE || is_whole(layer.getPrecision())) return false;
  if (input != nullptr && is_shape_tensor(*input, logger)) return false;
  const bool reads_whole = input == nullptr || is_whole(input->getType());
  return !reads_whole || output == nullptr || !is_whole(output->getType());
}

}  // namespace

Answer<void> set_precisions(const tensorrt::NetworkPlan& plan, TensorRtSdk& sdk,
                            const nvinfer1::INetworkDefinition& network) {
  const std::vector<ILayer*> layers = layers_of(network);
  std::set<std::string> skipped;
  for (const auto& [word, name] : plan.layer_precisions) {
    ASSAY_ASSIGN(const int number, sdk.find_enumerator("DataType", name, "--layer-precisions", Phase::build));
    ASSAY_TRY(for_each_match<ILayer>(word, layers, "layer", [&, &word = word](ILayer& layer) {
      if (layer.getName() == word || computes_floats(layer, sdk.logger)) {
        layer.setPrecision(static_cast<DataType>(number));
      } else {
        skipped.emplace(layer.getName());
      }
    }));
  }
  if (skipped.empty()) return {};
  sdk.logger.add(base::Level::verbose,
                 fmt::format("--layer-precisions: patterns skip layers that compute integers, booleans or shapes: {}",
                             base::list_first({skipped.begin(), skipped.end()}, kMostListed, ", ")));
  return {};
}

}  // namespace assay::backend
#endif
