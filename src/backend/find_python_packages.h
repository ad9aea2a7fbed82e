// Where the packages of a Python lie, worked out without starting it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay::backend {

struct PythonPackages {
  std::filesystem::path folder;  // a site-packages or dist-packages folder that exists
  std::string python;            // whose it is, for people: the path of its program or virtual environment
};

// In the order in which Python would look: the virtual environment's where one is active, else those of the first
// python3 in the folders of `path` (its own environment, what the user `home` has installed, its prefix). A python3 of
// pyenv is one of the version that pyenv takes by default.
std::vector<PythonPackages> find_python_packages(const std::filesystem::path& virtual_env,
                                                 const std::vector<std::filesystem::path>& path,
                                                 const std::filesystem::path& home);

}  // namespace assay::backend
