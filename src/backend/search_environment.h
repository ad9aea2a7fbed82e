// The places to search for engines, according to the environment of this process.
#pragma once

#include <filesystem>

#include "backend/find_engines.h"

namespace assay::backend {

// Reads the environment (VIRTUAL_ENV, PATH, LD_LIBRARY_PATH, HOME and the variables of the engines). `libexec` is the
// folder of the workers; engines installed with Assay are in it, too.
EngineSearch search_environment(const std::filesystem::path& libexec);

}  // namespace assay::backend
