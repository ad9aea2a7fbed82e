// Where this copy of Assay lies, and what the environment tells it. Read once, in main.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "backend/find_engines.h"

namespace assay::cli {

struct Installation {
  std::filesystem::path executable;              // this program's real path
  std::filesystem::path libexec;                 // folder of the workers and of the Python runners
  backend::EngineSearch engines;                 // where to look for engines; --onnxrt-lib is for the command to add
  std::optional<std::uint64_t> open_files = {};  // how many files we could have open when we were started
};

// From /proc/self/exe and the environment. Workers lie in <prefix>/libexec/assay beside <prefix>/bin; in the build
// tree, in libexec/assay of the build folder, which is laid out the same way.
Installation find_installation();

}  // namespace assay::cli
