// A network doesn't say which layers are inside. But what enters a loop (recurrences, iterators) or a conditional (its
// inputs) and what leaves it are layers of their own, and everything that depends on the former is inside, up to the
// latter. One pass suffices, because a layer is added after those that compute its inputs. The only exception is the
// second input of a recurrence, which is computed inside its own loop.
#include "backend/tensorrt/sdk/interior_tensors.h"

#include <map>

namespace assay::backend {
namespace {

using nvinfer1::ILayer;
using nvinfer1::ITensor;
using nvinfer1::LayerType;

using Places = std::set<const void*>;  // loops and conditionals

const void* loop_of(const ILayer& layer) {
  return static_cast<const nvinfer1::ILoopBoundaryLayer&>(layer).getLoop();  // as its type says
}

const void* conditional_of(const ILayer& layer) {
  return static_cast<const nvinfer1::IIfConditionalBoundaryLayer&>(layer).getConditional();
}

// Changes the places of a layer's inputs to those of its outputs.
void cross_border(const ILayer& layer, Places& places) {
  switch (layer.getType()) {
    case LayerType::kRECURRENCE:
    case LayerType::kITERATOR:
      places.insert(loop_of(layer));
      break;
    case LayerType::kLOOP_OUTPUT:
      places.erase(loop_of(layer));
      break;
    case LayerType::kCONDITIONAL_INPUT:
      places.insert(conditional_of(layer));
      break;
    case LayerType::kCONDITIONAL_OUTPUT:
      places.erase(conditional_of(layer));
      break;
    default:
      break;
  }
}

}  // namespace

std::set<const ITensor*> interior_tensors(const nvinfer1::INetworkDefinition& network) {
  std::map<const ITensor*, Places> places_of;  // of tensors that are inside
  for (int number = 0; number < network.getNbLayers(); ++number) {
    const ILayer& layer = *network.getLayer(number);
    Places places;
    for (int i = 0; i < layer.getNbInputs(); ++i) {
      const auto found = places_of.find(layer.getInput(i));
      if (found != places_of.end()) places.insert(found->second.begin(), found->second.end());
    }
    cross_border(layer, places);
    if (places.empty()) continue;
    for (int i = 0; i < layer.getNbOutputs(); ++i) places_of[layer.getOutput(i)] = places;
  }
  std::set<const ITensor*> interior;
  for (const auto& [tensor, places] : places_of) interior.insert(tensor);
  return interior;
}

}  // namespace assay::backend
