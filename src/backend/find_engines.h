// Where engines lie on this machine. Nothing is opened or started: a look at a few folders, so that it costs next to
// nothing.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace assay::backend {

// An engine that comes as a shared library, and how that is found.
struct LibraryRow {
  std::string_view kind;      // as EngineSpec::kind
  std::string_view name;      // for people
  std::string_view file;      // how its name begins; a version may follow
  std::string_view package;   // where it lies among Python's packages
  std::string_view option;    // that names it
  std::string_view variable;  // of the environment, that names it
  std::string_view pip;       // the package that brings it
};
inline constexpr LibraryRow kLibraries[] = {
    {"onnxruntime", "ONNX Runtime", "libonnxruntime.so", "onnxruntime/capi", "--onnxrt-lib", "ASSAY_ONNXRUNTIME_LIB",
     "onnxruntime"},
    {"openvino", "OpenVINO", "libopenvino_c.so", "openvino/libs", "--openvino-lib", "ASSAY_OPENVINO_LIB", "openvino"},
};

// Where to look. Empty fields are not looked at.
struct EngineSearch {
  struct Places {
    // What the user says, as a library or the folder of one. What is not there is an error; nothing else is tried then.
    std::filesystem::path option;
    std::filesystem::path variable;  // its value
    // The one that set-up fetched, or that was installed with Assay.
    std::filesystem::path fetched;
  };
  std::map<std::string, Places, std::less<>> libraries;  // by kind
  // Python: packages carry libraries, and it is an engine itself.
  std::filesystem::path virtual_env;        // value of VIRTUAL_ENV
  std::vector<std::filesystem::path> path;  // folders of PATH; the first python3 in them counts
  std::filesystem::path home;               // value of HOME, for packages that a user has installed for himself
};

struct FoundEngine {
  std::string kind;               // as EngineSpec::kind: "onnxruntime"
  std::filesystem::path library;  // absolute
  std::string version;            // from the library's file name; empty where that does not tell
  std::string how;  // where it was found, for people: "--onnxrt-lib", "the Python package of /usr/bin/python3"
};

// Every library of every engine that there is, those of one engine together, the one to use first. None is no error.
std::vector<FoundEngine> find_engines(const EngineSearch& search);

// The library to use for a kind, which has to be in the table. Errors: not_found, with every place that was looked at
// and how to get one.
base::Expected<FoundEngine> find_library(std::string_view kind, const EngineSearch& search);
inline base::Expected<FoundEngine> find_onnxruntime(const EngineSearch& search) {
  return find_library("onnxruntime", search);
}

// A Python interpreter: `named` (--python-interpreter; a path, or a name in PATH), else that of the virtual
// environment, else the first python3 in PATH. Errors: not_found.
base::Expected<std::filesystem::path> find_python(const std::filesystem::path& named, const EngineSearch& search);

}  // namespace assay::backend
