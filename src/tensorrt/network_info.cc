#include "tensorrt/network_info.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "tensorrt/worker_answer.h"

namespace assay::tensorrt {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NetworkTensor, name, type, shape, known_rank, is_output, holds_values)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NetworkAttribute, name, value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NetworkWeights, name, type, shape, offset)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NetworkLayer, name, inputs, outputs, kind, attributes, weights)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NetworkInfo, name, strongly_typed, inputs, layers, constants, outputs)

bool has_precision(const NetworkLayer& layer) {
  constexpr std::array<std::string_view, 4> kTypes = {"float32", "float16", "bfloat16", "int8"};
  return !layer.outputs.empty() && std::ranges::all_of(layer.outputs, [&](const NetworkTensor& tensor) {
    return tensor.holds_values && std::ranges::find(kTypes, tensor.type) != kTypes.end();
  });
}

std::string network_json(const NetworkInfo& network) {
  return write_answer(network);
}

base::Expected<NetworkInfo> parse_network(std::string_view text) {
  NetworkInfo network;
  ASSAY_TRY(read_answer(text, [&network](const nlohmann::json& answer) { answer.get_to(network); }));
  return network;
}

}  // namespace assay::tensorrt
