#include "backend/openvino/options.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "base/strings.h"

namespace assay::backend {

Answer<OpenVinoOptions> parse_openvino_options(const std::map<std::string, std::string>& options) {
  constexpr std::string_view kConfig = "config.";
  OpenVinoOptions parsed;
  for (const auto& [name, value] : options) {
    if (name.starts_with(kConfig) && name.size() > kConfig.size()) {
      parsed.config[name.substr(kConfig.size())] = value;
    } else if (name == "device") {
      parsed.device = value;
    } else if (name == "save_built") {
      parsed.save_built = value;
    } else {
      return refuse(
          worker::Phase::start, 0,
          fmt::format("OpenVINO's worker has no option '{}': it has device, save_built and config.KEY", name));
    }
  }
  return parsed;
}

OpenVinoDevices openvino_devices(const std::string& device) {
  const std::size_t colon = device.find(':');
  if (colon == std::string::npos) return {device, {device}};
  OpenVinoDevices devices{device.substr(0, colon), {}};
  for (const std::string& one : base::split(std::string_view(device).substr(colon + 1), ',')) {
    std::string name = one.substr(0, one.find('('));  // without the size of the batch
    if (!name.empty() && !name.starts_with('-')) devices.configured.push_back(std::move(name));
  }
  return devices;
}

}  // namespace assay::backend
