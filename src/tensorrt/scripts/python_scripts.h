// Writes Python scripts that make a builder configuration or a network with the package `tensorrt` alone, to be changed
// by the user. Polygraphy's --trt-config-script and --model-type trt-network-script take them, too.
#pragma once

#include <string>

#include "tensorrt/config_plan.h"
#include "tensorrt/network_plan.h"

namespace assay::tensorrt {

// A function load_config(builder, network), which returns the configuration. Profiles have 1 for each dynamic dimension
// that they don't mention. A network that has dynamic dimensions gets such a profile if there is none, unless a script
// of the user makes the configuration.
std::string config_script(const ConfigPlan& plan);

// A function load_network(), which returns the builder, the network and, if there is a model, the parser. If the plan
// begins with a function of the user, it returns what that returns.
std::string network_script(const NetworkPlan& plan);

}  // namespace assay::tensorrt
