#include "data/save_batches.h"

#include <fmt/format.h>

#include "data/fit_inputs.h"
#include "tensor/npz.h"

namespace assay::data {

base::Status save_batches(InputSource& source, std::span<const tensor::TensorSpec> ports,
                          const std::filesystem::path& folder, base::Log& log) {
  for (std::int64_t index = 0;; ++index) {
    ASSAY_ASSIGN(const auto inputs, source.iteration(index, ports));
    if (!inputs && index == 0) {
      return base::fail(base::ErrorKind::invalid_input, "there are no inputs to calibrate with", "--int8",
                        "Give at least one iteration, or a --calibration-cache that exists");
    }
    if (!inputs) return {};
    ASSAY_ASSIGN(const tensor::NamedTensors fitted, fit_inputs(*inputs, ports, log));
    ASSAY_TRY(tensor::write_npz(folder / fmt::format("{}.npz", index), fitted));
  }
}

}  // namespace assay::data
