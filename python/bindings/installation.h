// State shared by all calls in a Python process: the worker processes and the places of the engines.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "backend/find_engines.h"
#include "base/stop.h"
#include "worker/engine.h"

namespace assay::python {

struct Installation {
  std::filesystem::path libexec;  // folder of the workers
  backend::EngineSearch engines;  // the running interpreter's packages come first
  base::Stop stop;                // of the pool, never requested: each call has a stop of its own
  worker::Pool pool;

  Installation(std::filesystem::path libexec, backend::EngineSearch engines);
};

// Returns the installation of this process. The caller must hold the GIL. A process that was forked gets its own:
// workers belong to the process that started them. Never destroyed, since other threads may still use it when the
// interpreter exits; workers end with the process.
Installation& installation();

// Returns where engines are looked for in the environment as it is now. The caller must hold the GIL.
backend::EngineSearch search_environment_now();

// Returns the engine whose runner has this name: "onnxrt", "openvino", "reference". Throws InputError if no engine has
// it. The caller must hold the GIL.
const backend::EngineRow& engine_row(const std::string& runner);

// Returns the library or interpreter of an engine; `named` is the path or name that the user gave, or empty. Throws
// NotFoundError if there is none, or if this build has no worker for the engine. The caller must hold the GIL.
std::filesystem::path engine_library(const backend::EngineRow& row, const std::string& named);

// Returns options of an engine's worker in which existing files have absolute paths: a worker keeps the working folder
// in which it was started, while that of a Python process may change.
std::map<std::string, std::string> with_absolute_paths(const backend::EngineRow& row,
                                                       std::map<std::string, std::string> options);

}  // namespace assay::python
