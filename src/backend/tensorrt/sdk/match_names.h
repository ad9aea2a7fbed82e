// Finds the layers or tensors of a network that a setting names. Names are matched with fnmatch's wildcards, as
// Polygraphy does.
#pragma once

#include <NvInfer.h>
#include <fmt/format.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "backend/serve/serve.h"
#include "base/pattern.h"

namespace assay::backend {

// Calls `action` with each of the objects whose name the word matches. `kind`: what they are, for the error. Returns a
// Refused in phase build if there is none.
template <class Object>
Answer<void> for_each_match(const std::string& word, std::span<Object* const> objects, const char* kind,
                            const std::function<void(Object&)>& action) {
  const auto pattern = base::Pattern::wildcard(word);
  if (!pattern) return refuse(worker::Phase::build, 0, pattern.error().message());
  bool any = false;
  for (Object* object : objects) {
    const bool same = object->getName() == word;
    const auto matches = pattern->matches(object->getName());
    if (!same && !matches.value_or(false)) continue;
    any = true;
    action(*object);
  }
  if (any) return {};
  return refuse(worker::Phase::build, 0, fmt::format("TensorRT's network has no {} '{}'", kind, word));
}

inline std::vector<nvinfer1::ILayer*> layers_of(const nvinfer1::INetworkDefinition& network) {
  std::vector<nvinfer1::ILayer*> layers;
  for (int i = 0; i < network.getNbLayers(); ++i) layers.push_back(network.getLayer(i));
  return layers;
}

}  // namespace assay::backend
