// Parses the options of the OpenVINO worker.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backend/serve/serve.h"

namespace assay::backend {

struct OpenVinoOptions {
  std::string device = "CPU";
  std::map<std::string, std::string> config;  // properties of the device, or of those that it combines
  std::string save_built;                     // file for the compiled model; empty: none
};

// Options, whose values OpenVINO itself checks:
//  - device: the device to run on.
//  - save_built: a file to which the compiled model is exported.
//  - config.KEY: the value of a property.
// Returns a Refused for any other option.
Answer<OpenVinoOptions> parse_openvino_options(const std::map<std::string, std::string>& options);

// A device such as "HETERO:GPU,CPU", "AUTO:-GPU" or "BATCH:GPU(4)" combines others. OpenVINO answers questions only
// about the combination itself, without the others, and lets properties be set only for each of the others.
struct OpenVinoDevices {
  std::string asked;                    // "HETERO"
  std::vector<std::string> configured;  // "GPU" and "CPU", without those that are excluded
};

// For any other device, both are the device itself.
OpenVinoDevices openvino_devices(const std::string& device);

}  // namespace assay::backend
