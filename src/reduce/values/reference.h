// Values of tensors of the unreduced model, for constants and for shapes that can't be inferred.
#pragma once

#include <string>
#include <vector>

#include "tensor/tensor.h"

namespace assay::reduce {

class Reference {
 public:
  virtual ~Reference() = default;
  // Returns those of the values that are available; this may run an engine. A missing value is no reason to end a
  // reduction. Whether a value is available must not depend on earlier calls: candidates are built ahead, in an order
  // that varies with the number of jobs.
  virtual tensor::NamedTensors available(const std::vector<std::string>& names) = 0;
  // Returns whether available() answers at once: each value is computed already, or known to be unavailable.
  [[nodiscard]] virtual bool answers_at_once(const std::vector<std::string>& /*names*/) { return true; }
  // Returns whether computing a value may take long, since the engine fails on a part of the model.
  [[nodiscard]] virtual bool is_slow() const { return false; }
};

}  // namespace assay::reduce
