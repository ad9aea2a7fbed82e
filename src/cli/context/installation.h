// The folders of this copy of Assay, and its settings from the environment. Read once, in main.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "backend/find_engines.h"

namespace assay::cli {

struct Installation {
  std::filesystem::path executable;              // this program's real path
  std::filesystem::path libexec;                 // folder with the workers and the Python runners
  backend::EngineSearch engines;                 // where to look for engines; commands add --onnxrt-lib
  std::optional<std::uint64_t> open_files = {};  // limit of open files when Assay was started
  bool has_display = false;                      // Assay was started in a graphical session
};

// Reads /proc/self/exe and the environment. Workers are in <prefix>/libexec/assay, next to <prefix>/bin. The build
// folder is laid out in the same way.
Installation find_installation();

}  // namespace assay::cli
