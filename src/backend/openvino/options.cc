#include "backend/openvino/options.h"

#include <fmt/format.h>

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

}  // namespace assay::backend
