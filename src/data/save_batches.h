// Inputs as files for an engine that calibrates with them in its own process.
#pragma once

#include <filesystem>
#include <span>

#include "base/error.h"
#include "base/log.h"
#include "data/input_source.h"
#include "tensor/tensor_spec.h"

namespace assay::data {

// Writes the inputs of each iteration to "0.npz", "1.npz" and so on in this folder, as the model takes them
// (fit_inputs). Errors: those of the source and of fit_inputs(); invalid_input if there is no iteration; io.
base::Status save_batches(InputSource& source, std::span<const tensor::TensorSpec> ports,
                          const std::filesystem::path& folder, base::Log& log);

}  // namespace assay::data
