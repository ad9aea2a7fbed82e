// Writes a TensorRT network as a model in ONNX's format, so that everything that shows models shows networks, too.
#pragma once

#include <memory>

#include "base/mapped_file.h"
#include "model/model.h"
#include "tensorrt/network_info.h"

namespace assay::inspect {

inline constexpr const char* kStronglyTyped = "strongly typed";  // the domain of a model of such a network

// Returns a model with a node for each layer, constants first: its operator is the kind of the layer ("CONVOLUTION"),
// and its attributes are those of the layer. These operators aren't ONNX's, so the model can be looked at, but not run.
// `weights`: the values of the layers' weights, at their offsets; if it is null, the weights have no values
// (Model::weights_ignored).
model::Model network_model(const tensorrt::NetworkInfo& network,
                           std::shared_ptr<const base::MappedFile> weights = nullptr);

// Returns whether network_model() has made the model.
bool is_network_model(const onnx::ModelProto& model);

}  // namespace assay::inspect
