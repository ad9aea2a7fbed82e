// LPIPS, measured in the user's Python.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "compare/compare_options.h"
#include "worker/engine.h"

namespace assay::run {

// Loads the network of LPIPS in a worker of this Python interpreter, and returns a function that measures with it. The
// function can be called from several threads; the pool must outlive it. Errors: not_found if Python packages or the
// weights of the network are missing; engine, saying how the worker ended.
base::Expected<compare::PerceptualDistance> perceptual_distance(const std::filesystem::path& python,
                                                                worker::Pool& pool);

}  // namespace assay::run
