// Options that choose inputs, for commands that don't run the model: Polygraphy's commands of the same names use them
// to calibrate TensorRT engines.
#pragma once

#include <span>

#include "cli/options/refused_options.h"

namespace assay::cli {

std::span<const RefusedOption> calibration_options();

}  // namespace assay::cli
