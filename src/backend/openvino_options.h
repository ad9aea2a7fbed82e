// The options of the OpenVINO worker, from text.
#pragma once

#include <map>
#include <string>

#include "backend/serve.h"

namespace assay::backend {

struct OpenVinoOptions {
  std::string device = "CPU";
  std::map<std::string, std::string> config;  // properties of the device
};

//   device      where it runs; OpenVINO itself tells whether there is such a device
//   config.KEY  value of a property, which OpenVINO itself checks
// Refused for any other option.
Answer<OpenVinoOptions> parse_openvino_options(const std::map<std::string, std::string>& options);

}  // namespace assay::backend
