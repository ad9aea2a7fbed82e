// Selects execution providers and adds them to a session.
#pragma once

#include <string>
#include <vector>

#include "backend/onnxruntime/library.h"

namespace assay::backend {

// Returns the full names ("CUDAExecutionProvider") of the providers in `wanted`. Those may be parts of names in either
// case, and each selects the first match in `available`. Returns a Refused that lists `available` if one has no match.
Answer<std::vector<std::string>> choose_providers(const std::vector<std::string>& wanted,
                                                  const std::vector<std::string>& available);

Answer<std::vector<std::string>> available_providers(const OnnxRuntimeLibrary& library);

// Adds providers, given by their full names, in this order.
Answer<void> append_providers(const OnnxRuntimeLibrary& library, const std::vector<std::string>& providers,
                              OrtSessionOptions* options);

}  // namespace assay::backend
