// Parses the options of the OpenVINO worker.
#pragma once

#include <map>
#include <string>

#include "backend/serve.h"

namespace assay::backend {

struct OpenVinoOptions {
  std::string device = "CPU";
  std::map<std::string, std::string> config;  // properties of the device
};

// Options, whose values OpenVINO itself checks:
//  - device: the device to run on.
//  - config.KEY: the value of a property.
// Returns a Refused for any other option.
Answer<OpenVinoOptions> parse_openvino_options(const std::map<std::string, std::string>& options);

}  // namespace assay::backend
