// Recognises the inputs and outputs of a session that are tensors, the only values that can be fed and returned.
#pragma once

#include <string>
#include <vector>

#include "worker/engine.h"

namespace assay::worker {

// Returns true for tensors and for optional tensors.
inline bool is_tensor(const Port& port) {
  return port.kind == "tensor" || port.kind.starts_with("optional(tensor(");
}

// Returns the names of the outputs that hold a tensor after every run. Optional tensors aren't among them: a run that
// requests one fails if it turns out to be empty.
inline std::vector<std::string> tensor_outputs(const SessionInfo& info) {
  std::vector<std::string> names;
  for (const Port& port : info.outputs) {
    if (port.kind == "tensor") names.push_back(port.name);
  }
  return names;
}

}  // namespace assay::worker
