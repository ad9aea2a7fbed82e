// The layers of a TensorRT network as candidates for find_precision(): TensorRT lowers their precision itself, and the
// model stays as it is.
#pragma once

#include <vector>

#include "blame/precision_candidate.h"
#include "tensorrt/network_info.h"

namespace assay::blame {

// Returns the layers whose precision can be chosen. A candidate's number is the position of its layer in the network.
std::vector<PrecisionCandidate> layers_with_precision(const tensorrt::NetworkInfo& network);

}  // namespace assay::blame
