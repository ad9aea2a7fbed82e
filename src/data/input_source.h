// One interface for all sources of a run's inputs: they are generated, loaded, or produced by a user's script.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "tensor/generate.h"
#include "tensor/tensor.h"
#include "tensor/tensor_spec.h"

namespace assay::data {

class InputSource {
 public:
  virtual ~InputSource() = default;
  // Returns the inputs of iteration `index` (from 0), or nothing if there are no more. `ports` says what the model
  // takes; only a generator considers it, so the result may lack inputs, have extra ones and not fit: see fit_inputs().
  // Going forward by one is cheap; any other index is allowed. Not thread-safe.
  virtual base::Expected<std::optional<tensor::NamedTensors>> iteration(std::int64_t index,
                                                                        std::span<const tensor::TensorSpec> ports) = 0;
  // Returns true if the source knows, without reading anything, that there is no iteration `index`.
  [[nodiscard]] virtual bool ends_before(std::int64_t index) const = 0;
  // Returns true if the inputs depend on `ports`.
  [[nodiscard]] virtual bool considers_ports() const { return false; }
};

// Returns the inputs of iteration 0, 1, ..., or nothing if there are no more. May consider `ports`, as above.
using InputsByIteration = std::function<base::Expected<std::optional<tensor::NamedTensors>>(
    std::int64_t index, std::span<const tensor::TensorSpec> ports)>;

// Returns a source of `iterations` sets of tensor::generate_inputs(). `log` must outlive it.
std::unique_ptr<InputSource> generated_inputs(tensor::GenerateOptions options, std::int64_t iterations, base::Log& log);

// Returns a source of the iterations in files and folders (iteration_files.h), one after another. One file is open at a
// time, and arrays are decoded on demand. An array that can't be read is left out, with a warning, if an iteration has
// other arrays with the names of all ports. Errors: not_found for a missing path; those of a file appear when it is
// reached. A source without any iteration is an error, since a run of nothing would pass. `log` must outlive it.
base::Expected<std::unique_ptr<InputSource>> loaded_inputs(const std::vector<std::filesystem::path>& paths,
                                                           base::Log& log);

}  // namespace assay::data
