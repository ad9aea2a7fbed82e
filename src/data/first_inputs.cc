#include "data/first_inputs.h"

#include <algorithm>

namespace assay::data {

base::Expected<std::optional<tensor::NamedTensors>> FirstInputs::get(std::int64_t index,
                                                                     std::span<const tensor::TensorSpec> ports) {
  if (index != 0) return source_.iteration(index, ports);
  if (!inputs_ || (source_.considers_ports() && !std::ranges::equal(ports, ports_))) {
    ASSAY_ASSIGN(inputs_, source_.iteration(0, ports));
    ports_.assign(ports.begin(), ports.end());
  }
  return inputs_;
}

}  // namespace assay::data
