// What gives outputs to compare: an engine that is asked, or results that were saved earlier.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "data/run_results.h"
#include "tensor/tensor.h"
#include "tensor/tensor_spec.h"

namespace assay::run {

class Runner {
 public:
  virtual ~Runner() = default;
  [[nodiscard]] virtual const std::string& name() const = 0;
  // False where the outputs do not depend on inputs: saved results.
  [[nodiscard]] virtual bool needs_inputs() const = 0;

  // Loads what it takes to run. Called once, before all others; may be called at the same time as that of another.
  virtual base::Status activate(base::Log& log) = 0;
  // What the model takes; empty before activate() and for saved results.
  [[nodiscard]] virtual std::span<const tensor::TensorSpec> inputs() const = 0;
  // Outputs of iteration `index` (0, 1, 2, ...) for `feeds`; nullopt where a saved run has no more.
  virtual base::Expected<std::optional<data::IterationResult>> run(std::int64_t index,
                                                                   const tensor::NamedTensors& feeds,
                                                                   base::Log& log) = 0;
  // Gives up what activate() took. May be called at any time.
  virtual void deactivate() = 0;
};

}  // namespace assay::run
