// Where this copy of Assay lies, and what the environment tells it. Read once, in main.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay::cli {

struct Installation {
  std::filesystem::path executable;  // this program's real path
  std::filesystem::path libexec;     // folder of the workers and of the Python runners
  std::filesystem::path
      fetched_onnxruntime;                  // ONNX Runtime library that set-up fetched or the package brought; or empty
  std::string onnxruntime_variable;         // value of ASSAY_ONNXRUNTIME_LIB
  std::string virtual_env;                  // value of VIRTUAL_ENV
  std::vector<std::filesystem::path> path;  // folders of PATH
};

// From /proc/self/exe and the environment. Workers lie in <prefix>/libexec/assay beside <prefix>/bin; in the build
// tree, in libexec/assay of the build folder, which is laid out the same way.
Installation find_installation();

}  // namespace assay::cli
