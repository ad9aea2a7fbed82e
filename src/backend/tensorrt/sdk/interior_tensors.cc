// A network doesn't say which layers are inside. But layers of their own let values enter a loop (recurrences,
// iterators) or a conditional (its inputs), and let them leave it. Everything that depends on an entry is inside, up to
// the exits. A layer may come before those that compute its inputs: the parser adds the inputs of a conditional after
// its branches, and the second input of a recurrence is computed inside its loop. So the layers are passed until
// nothing changes. Places are only ever added, so this ends.
#include "backend/tensorrt/sdk/interior_tensors.h"

#include <map>

namespace assay::backend {
namespace {

using nvinfer1::ILayer;
using nvinfer1::ITensor;
using nvinfer1::LayerType;

using Places = std::set<const void*>;               // loops and conditionals
using PlacesOf = std::map<const ITensor*, Places>;  // of tensors that are inside

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

// Adds the places of what each layer computes, as far as those of its inputs are known. Returns whether any were new.
bool pass_layers(const nvinfer1::INetworkDefinition& network, PlacesOf& places_of) {
  bool any_new = false;
  for (int number = 0; number < network.getNbLayers(); ++number) {
    const ILayer& layer = *network.getLayer(number);
    Places places;
    for (int i = 0; i < layer.getNbInputs(); ++i) {
      const auto found = places_of.find(layer.getInput(i));
      if (found != places_of.end()) places.insert(found->second.begin(), found->second.end());
    }
    cross_border(layer, places);
    if (places.empty()) continue;
    for (int i = 0; i < layer.getNbOutputs(); ++i) {
      if (layer.getOutput(i) == nullptr) continue;  // an optional output, as opposed to all missing inputs
      Places& known = places_of[layer.getOutput(i)];
      any_new = any_new || known != places;
      known = places;
    }
  }
  return any_new;
}

}  // namespace

std::set<const ITensor*> interior_tensors(const nvinfer1::INetworkDefinition& network) {
  PlacesOf places_of;
  while (pass_layers(network, places_of)) continue;
  std::set<const ITensor*> interior;
  for (const auto& [tensor, places] : places_of) interior.insert(tensor);
  return interior;
}

}  // namespace assay::backend
