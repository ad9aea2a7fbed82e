// Where the inputs of a run come from, behind one interface: generated, loaded, or made by a user's script.
#pragma once

#include <cstdint>
#include <filesystem>
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
  // The inputs of iteration `index` (from 0), or nothing where there are no more. `ports`: what the model wants; only a
  // generator looks at it, so what comes back may lack inputs, have others besides, and not fit: see fit_inputs().
  // Going forward by one is cheap; any other index is allowed. Not thread-safe.
  virtual base::Expected<std::optional<tensor::NamedTensors>> iteration(std::int64_t index,
                                                                        std::span<const tensor::TensorSpec> ports) = 0;
  // True where it is known, without looking at anything, that there is no iteration `index`.
  [[nodiscard]] virtual bool ends_before(std::int64_t index) const = 0;
};

// `iterations` sets of tensor::generate_inputs(). `log` must outlive the source.
std::unique_ptr<InputSource> generated_inputs(tensor::GenerateOptions options, std::int64_t iterations, base::Log& log);

// Iterations of files and folders (iteration_files.h), one after another. One file is open at a time, and nothing is
// decoded before it is asked for. Errors: not_found for a path that is not there; those of a file come when it is
// reached. A source without any iteration is an error: nothing would be run, and that would pass.
base::Expected<std::unique_ptr<InputSource>> loaded_inputs(const std::vector<std::filesystem::path>& paths);

// Inputs that are there already.
std::unique_ptr<InputSource> given_inputs(std::vector<tensor::NamedTensors> iterations);

}  // namespace assay::data
