// The source of outputs to compare: an engine that runs, or results that were saved earlier.
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
  // Returns false if the outputs don't depend on inputs (saved results).
  [[nodiscard]] virtual bool needs_inputs() const = 0;
  // Returns how many iterations were saved; nullopt for an engine.
  [[nodiscard]] virtual std::optional<std::size_t> iteration_count() const { return std::nullopt; }

  // Loads what is needed to run. Called once, before run(); different runners may be activated in parallel.
  virtual base::Status activate(base::Log& log) = 0;
  // Returns the model's inputs; empty before activate() and for saved results.
  [[nodiscard]] virtual std::span<const tensor::TensorSpec> inputs() const = 0;
  // Returns the outputs of iteration `index` (0, 1, 2, ...) for `feeds`, or nullopt if a saved run has no more.
  virtual base::Expected<std::optional<data::IterationResult>> run(std::int64_t index,
                                                                   const tensor::NamedTensors& feeds,
                                                                   base::Log& log) = 0;
  // Releases what activate() loaded. May be called at any time.
  virtual void deactivate() = 0;
};

}  // namespace assay::run
