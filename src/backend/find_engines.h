// Where engines lie on this machine. Nothing is opened or started: a look at a few folders, so that it costs next to
// nothing.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace assay::backend {

// Where to look. Empty fields are not looked at.
struct EngineSearch {
  // What the user says, as a library or the folder of one. What is not there is an error; nothing else is tried then.
  std::filesystem::path onnxruntime_option;    // --onnxrt-lib
  std::filesystem::path onnxruntime_variable;  // value of ASSAY_ONNXRUNTIME_LIB
  // Python: its `onnxruntime` package carries the library, since 1.20.
  std::filesystem::path virtual_env;        // value of VIRTUAL_ENV
  std::vector<std::filesystem::path> path;  // folders of PATH; the first python3 in them counts
  std::filesystem::path home;               // value of HOME, for packages that a user has installed for himself
  // The one that set-up fetched, or that was installed with Assay.
  std::filesystem::path onnxruntime_fetched;
};

struct FoundEngine {
  std::string kind;               // as EngineSpec::kind: "onnxruntime"
  std::filesystem::path library;  // absolute
  std::string version;            // from the library's file name; empty where that does not tell
  std::string how;  // where it was found, for people: "--onnxrt-lib", "the Python package of /usr/bin/python3"
};

// Every ONNX Runtime that there is, the one to use first. None is no error.
std::vector<FoundEngine> find_engines(const EngineSearch& search);

// The one to use. Errors: not_found, with every place that was looked at and how to get one.
base::Expected<FoundEngine> find_onnxruntime(const EngineSearch& search);

}  // namespace assay::backend
