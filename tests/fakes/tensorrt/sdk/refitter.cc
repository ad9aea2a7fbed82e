#include "refitter.h"

#include <algorithm>
#include <cstddef>

#include "dims.h"
#include "misbehave.h"

namespace fake_tensorrt {
namespace {

// Returns the constant layers that `keeps` accepts, and writes the first `size` names.
template <class Keeps>
int32_t list_names(const Graph& graph, int32_t size, char const** names, const Keeps& keeps) {
  int32_t count = 0;
  for (const GraphLayer& layer : graph.layers) {
    if (layer.type != nvinfer1::LayerType::kCONSTANT || !keeps(layer.name)) continue;
    if (count < size) names[count] = layer.name.c_str();
    ++count;
  }
  return count;
}

}  // namespace

int32_t Refitter::getAllWeights(int32_t size, char const** names) noexcept {
  return list_names(engine_.plan().graph, size, names, [](const std::string&) { return true; });
}

// An engine that has all its weights may get a part of them only.
int32_t Refitter::getMissingWeights(int32_t size, char const** names) noexcept {
  const bool has_weights = engine_.plan().stripped_weights == 0;
  const int32_t count = list_names(engine_.plan().graph, size, names,
                                   [&](const std::string& name) { return !has_weights && !weights_.contains(name); });
  if (misbehaves("unnamed_weights")) std::fill(names, names + std::min(size, count), nullptr);
  return count;
}

bool Refitter::setNamedWeights(char const* name, nvinfer1::Weights weights) noexcept {
  for (const GraphLayer& layer : engine_.plan().graph.layers) {
    if (layer.type != nvinfer1::LayerType::kCONSTANT || layer.name != name) continue;
    const std::size_t bytes = static_cast<std::size_t>(weights.count) * element_size(weights.type);
    if (weights.type == engine_.plan().graph.tensors[layer.outputs.at(0)].type && bytes == layer.weights.size()) {
      weights_[name] = weights;
      return true;
    }
    log_error(logger_, std::string("IRefitter::setNamedWeights: Error Code 3: API Usage Error (the engine's weights ") +
                           name + " have another type or count)");
    return false;
  }
  log_error(logger_,
            std::string("IRefitter::setNamedWeights: Error Code 3: API Usage Error (the engine has no weights ") +
                name + ")");
  return false;
}

bool Refitter::refitCudaEngine() noexcept {
  if (misbehaves("fail_refit") || getMissingWeights(0, nullptr) != 0) {
    log_error(logger_, "IRefitter::refitCudaEngine: Error Code 4: Internal Error (weights are missing)");
    return false;
  }
  std::map<std::string, std::vector<std::uint8_t>> bytes;
  for (const auto& [name, weights] : weights_) {
    const auto* begin = static_cast<const std::uint8_t*>(weights.values);
    bytes[name].assign(begin, begin + static_cast<std::size_t>(weights.count) * element_size(weights.type));
  }
  engine_.refit(bytes);
  return true;
}

}  // namespace fake_tensorrt
