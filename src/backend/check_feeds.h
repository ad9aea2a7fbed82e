// Whether what is fed to a model is what it takes, said in the same words for every engine and every version of it.
#pragma once

#include <vector>

#include "backend/serve.h"

namespace assay::backend {

// `required` have to be fed, `optional` may be. Refused in phase run, naming the tensor, what was expected and what was
// given: for feeds that are missing, that the model does not know, or of another type, rank or size. A rank of zero is
// not checked: engines do not tell it from an unknown one.
Answer<void> check_feeds(const tensor::NamedTensors& feeds, const std::vector<worker::Port>& required,
                         const std::vector<worker::Port>& optional);

// The outputs that are wanted, all of them where `wanted` is empty. Refused for one that there is not, or that is no
// tensor.
Answer<std::vector<std::string>> check_wanted(const std::vector<std::string>& wanted,
                                              const std::vector<worker::Port>& outputs);

}  // namespace assay::backend
