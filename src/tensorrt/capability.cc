#include "tensorrt/capability.h"

#include <nlohmann/json.hpp>

namespace assay::tensorrt {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CapabilityGroup, nodes, supported)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CapabilityError, node, op_type, reason, stack_trace)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Capability, supported, groups, errors)

std::string capability_json(const Capability& capability) {
  return nlohmann::json(capability).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

base::Expected<Capability> parse_capability(std::string_view text) try {
  return nlohmann::json::parse(text).get<Capability>();
} catch (const nlohmann::json::exception& error) {
  return base::fail(base::ErrorKind::invalid_input, error.what(), "the worker's answer");
}

}  // namespace assay::tensorrt
