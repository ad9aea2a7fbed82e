#include "tensorrt/capability.h"

#include <nlohmann/json.hpp>

#include "tensorrt/worker_answer.h"

namespace assay::tensorrt {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CapabilityGroup, nodes, supported)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CapabilityError, node, op_type, reason, stack_trace)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Capability, supported, groups, errors)

std::string capability_json(const Capability& capability) {
  return write_answer(capability);
}

base::Expected<Capability> parse_capability(std::string_view text) {
  Capability capability;
  ASSAY_TRY(read_answer(text, [&capability](const nlohmann::json& answer) { answer.get_to(capability); }));
  return capability;
}

}  // namespace assay::tensorrt
