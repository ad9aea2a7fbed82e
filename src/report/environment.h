// The environment of a result, for reports: versions and the machine, without names of hosts or users.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "run/engine_runner.h"
#include "worker/engine.h"

namespace assay::report {

// Returns the versions of Assay, of the ONNX library in it and of the engines, which workers open, and the facts of
// describe_machine().
std::vector<std::pair<std::string, std::string>> describe_environment(const std::vector<run::EngineSetup>& engines,
                                                                      worker::Pool& pool);

}  // namespace assay::report
