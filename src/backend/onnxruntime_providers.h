// Execution providers: which ones the library has, and how each is added to a session.
#pragma once

#include <string>
#include <vector>

#include "backend/onnxruntime_library.h"

namespace assay::backend {

// Full names ("CUDAExecutionProvider") of the providers that `wanted` means: names or parts of names, in any case, each
// the first of `available` that it fits. Refused, with those that there are, where there is none.
Answer<std::vector<std::string>> choose_providers(const std::vector<std::string>& wanted,
                                                  const std::vector<std::string>& available);

Answer<std::vector<std::string>> available_providers(const OnnxRuntimeLibrary& library);

// Adds the providers, by their full names, in this order.
Answer<void> append_providers(const OnnxRuntimeLibrary& library, const std::vector<std::string>& providers,
                              OrtSessionOptions* options);

}  // namespace assay::backend
