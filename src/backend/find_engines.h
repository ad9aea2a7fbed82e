// Finds engines on this machine. It only lists a few folders, and opens and starts nothing, so it is cheap.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "backend/engine_table.h"
#include "base/error.h"
#include "worker/engine.h"

namespace assay::backend {

// The places to search. Empty fields are ignored.
struct EngineSearch {
  struct Places {
    // Paths given by the user: a library or its folder. If one is set but no library is there, find_library() fails and
    // doesn't look elsewhere.
    std::filesystem::path option;
    std::filesystem::path variable;  // value of the environment variable
    // The library that was installed with Assay, or that scripts/setup.sh fetched; its folder.
    std::filesystem::path fetched;
  };
  std::map<std::string, Places, std::less<>> libraries;  // by kind
  // Python, whose packages contain libraries and which is an engine itself.
  std::filesystem::path virtual_env;        // the active environment, or else the one that Assay is installed in
  std::vector<std::filesystem::path> path;  // folders of PATH; the first python3 in them is used
  std::filesystem::path home;               // value of HOME, for packages that a user has installed in it
  std::vector<std::filesystem::path> library_path;  // folders of LD_LIBRARY_PATH
  std::filesystem::path workers;                    // folder of the worker programs, if missing ones are to be errors
};

struct FoundEngine {
  std::string kind;               // as EngineSpec::kind: "onnxruntime"
  std::filesystem::path library;  // absolute
  std::string version;            // from the library's file name; empty if that has no version
  std::string how;  // where it was found, for people: "--onnxrt-lib", "the Python package of /usr/bin/python3"
};

// Returns all libraries found, grouped by engine, with the preferred library of each engine first. Finding none isn't
// an error.
std::vector<FoundEngine> find_engines(const EngineSearch& search);

// Returns the preferred library of an engine that is a shared library. Errors: not_found, with every place that was
// searched and how to install the engine.
base::Expected<FoundEngine> find_library(const EngineRow& row, const EngineSearch& search);
// Returns the library of the first engine of the table, which computes what commands need themselves.
inline base::Expected<FoundEngine> find_onnxruntime(const EngineSearch& search) {
  return find_library(engine_rows().front(), search);
}

// Returns a Python interpreter: `named` (--python-interpreter; a path, or a name in PATH) if it isn't empty, else the
// one of the virtual environment, else the first python3 in PATH. Errors: not_found.
base::Expected<std::filesystem::path> find_python(const std::filesystem::path& named, const EngineSearch& search);

// Returns true if the folder of worker programs has this engine's, or if that folder isn't known.
bool has_worker(const EngineRow& row, const EngineSearch& search);

// Returns the library or interpreter of an engine; `named` is the path or name that the user gave, or empty. Errors:
// those of find_library() and find_python(); unsupported if this build has no worker for the engine.
base::Expected<std::filesystem::path> find_engine(const EngineRow& row, const std::string& named,
                                                  const EngineSearch& search);

// Returns the engine of a row, with this library or interpreter and these options of its worker. Adds the option that
// the row fixes, unless it is among them.
worker::EngineSpec make_engine_spec(const EngineRow& row, std::filesystem::path library,
                                    std::map<std::string, std::string> options = {});

}  // namespace assay::backend
