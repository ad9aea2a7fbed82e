// Recognises the inputs and outputs of a session that are tensors, the only values that can be fed and returned.
#pragma once

#include "worker/engine.h"

namespace assay::worker {

// Returns true for tensors and for optional tensors.
inline bool is_tensor(const Port& port) {
  return port.kind == "tensor" || port.kind.starts_with("optional(tensor(");
}

}  // namespace assay::worker
