// Parses the options of the OpenVINO worker.
#pragma once

#include <map>
#include <string>

#include "backend/serve/serve.h"

namespace assay::backend {

struct OpenVinoOptions {
  std::string device = "CPU";
  std::map<std::string, std::string> config;  // properties of the device
  std::string save_built;                     // file for the compiled model; empty: none
};

// Options, whose values OpenVINO itself checks:
//  - device: the device to run on.
//  - save_built: a file to which the compiled model is exported.
//  - config.KEY: the value of a property.
// Returns a Refused for any other option.
Answer<OpenVinoOptions> parse_openvino_options(const std::map<std::string, std::string>& options);

}  // namespace assay::backend
