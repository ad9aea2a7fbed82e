// Finds engines on this machine. It only lists a few folders, and opens and starts nothing, so it is cheap.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace assay::backend {

// An engine that is a shared library, and how to find it.
struct LibraryRow {
  std::string_view kind;      // as EngineSpec::kind
  std::string_view name;      // for people
  std::string_view file;      // start of the file name; a version may follow
  std::string_view package;   // folder within Python's site-packages
  std::string_view option;    // command line option for its path
  std::string_view variable;  // environment variable for its path
  std::string_view pip;       // Python package that contains it
};
inline constexpr LibraryRow kLibraries[] = {
    {"onnxruntime", "ONNX Runtime", "libonnxruntime.so", "onnxruntime/capi", "--onnxrt-lib", "ASSAY_ONNXRUNTIME_LIB",
     "onnxruntime"},
    {"openvino", "OpenVINO", "libopenvino_c.so", "openvino/libs", "--openvino-lib", "ASSAY_OPENVINO_LIB", "openvino"},
};

// The places to search. Empty fields are ignored.
struct EngineSearch {
  struct Places {
    // Paths given by the user: a library or its folder. If one is set but no library is there, find_library() fails and
    // doesn't look elsewhere.
    std::filesystem::path option;
    std::filesystem::path variable;  // value of the environment variable
    // The library that scripts/setup.sh fetched, or that was installed with Assay.
    std::filesystem::path fetched;
  };
  std::map<std::string, Places, std::less<>> libraries;  // by kind
  // Python, whose packages contain libraries and which is an engine itself.
  std::filesystem::path virtual_env;        // value of VIRTUAL_ENV
  std::vector<std::filesystem::path> path;  // folders of PATH; the first python3 in them is used
  std::filesystem::path home;               // value of HOME, for packages that a user has installed in it
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

// Returns the preferred library of a kind. Asserts that the kind is in kLibraries. Errors: not_found, with every place
// that was searched and how to install the engine.
base::Expected<FoundEngine> find_library(std::string_view kind, const EngineSearch& search);
inline base::Expected<FoundEngine> find_onnxruntime(const EngineSearch& search) {
  return find_library("onnxruntime", search);
}

// Returns a Python interpreter: `named` (--python-interpreter; a path, or a name in PATH) if it isn't empty, else the
// one of the virtual environment, else the first python3 in PATH. Errors: not_found.
base::Expected<std::filesystem::path> find_python(const std::filesystem::path& named, const EngineSearch& search);

}  // namespace assay::backend
