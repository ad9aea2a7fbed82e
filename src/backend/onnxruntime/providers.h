// Selects execution providers and adds them to a session.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backend/onnxruntime/library.h"

namespace assay::backend {

// Returns the full names ("CUDAExecutionProvider") of the providers in `wanted`. Those may be parts of names in either
// case, and each selects the first match in `available`. Returns a Refused that lists `available` if one has no match.
Answer<std::vector<std::string>> choose_providers(const std::vector<std::string>& wanted,
                                                  const std::vector<std::string>& available);

Answer<std::vector<std::string>> available_providers(const OnnxRuntimeLibrary& library);

using ProviderOptions = std::map<std::string, std::string>;  // by key

// Sorts options by the full names of their providers. An option is called PROVIDER.KEY, and a part of the provider's
// name is enough. Returns a Refused if a provider isn't among `providers` (full names), or can't have options.
Answer<std::map<std::string, ProviderOptions>> options_by_provider(const std::map<std::string, std::string>& options,
                                                                   const std::vector<std::string>& providers);

// Adds providers, given by their full names, in this order, with their options.
Answer<void> append_providers(const OnnxRuntimeLibrary& library, const std::vector<std::string>& providers,
                              const std::map<std::string, ProviderOptions>& options, OrtSessionOptions* session);

}  // namespace assay::backend
