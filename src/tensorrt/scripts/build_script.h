// Writes the Python program that builds an engine with the package `tensorrt`, for plans with functions of the user.
#pragma once

#include <string>

#include "tensorrt/config_plan.h"
#include "tensorrt/network_plan.h"

namespace assay::tensorrt {

// The program takes four arguments, paths of files: its own, which its messages leave out, and those that it writes:
// the report, the engine, and the timing cache (empty: it isn't saved). If it fails, the report's first line is the
// number of a phase (0 start, 1 load, 2 build), and the rest says what is wrong. If it succeeds, its only line is
// TensorRT's version. The program may end without a report if a function of the user or TensorRT ends it.
std::string build_script(const NetworkPlan& network, const ConfigPlan& config);

// A program with the same arguments and reports that builds nothing: instead of the engine, it writes what the network
// consists of, as network_json() does.
std::string describe_script(const NetworkPlan& network);

}  // namespace assay::tensorrt
