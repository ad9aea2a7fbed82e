#include "cli/commands/template/calibration_options.h"

#include <array>

namespace assay::cli {
namespace {

constexpr std::string_view kReason =
    "chooses inputs to calibrate with, but the script takes calibrated ranges from a file, --calibration-cache";
constexpr std::array kOptions = {
    RefusedOption{"--input-shapes,--inputs", true, kReason},
    RefusedOption{"--seed", true, kReason},
    RefusedOption{"--val-range", true, kReason},
    RefusedOption{"--iterations,--iters", true, kReason},
    RefusedOption{"--data-loader-backend-module", true, kReason},
    RefusedOption{"--load-inputs,--load-input-data", true, kReason},
    RefusedOption{"--data-loader-script", true, kReason},
};

}  // namespace

std::span<const RefusedOption> calibration_options() {
  return kOptions;
}

}  // namespace assay::cli
