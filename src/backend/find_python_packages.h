// Finds the package folders of a Python installation without starting it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay::backend {

struct PythonPackages {
  std::filesystem::path folder;  // a site-packages or dist-packages folder that exists
  std::string python;            // the path of its interpreter or virtual environment, for people
};

// Returns folders in the order in which Python searches them: those of the active virtual environment, then those of
// the first python3 in the folders of `path` (of its own virtual environment, or of the user's `home` and of its
// prefix). For a python3 of pyenv, uses pyenv's global version.
std::vector<PythonPackages> find_python_packages(const std::filesystem::path& virtual_env,
                                                 const std::vector<std::filesystem::path>& path,
                                                 const std::filesystem::path& home);

// Returns PREFIX/lib/pythonX.Y/site-packages (or Debian's dist-packages) if Assay is installed there as a Python
// package, that is, if `libexec`, the folder of its workers, is that folder's assay/libexec/assay; else an empty path.
std::filesystem::path package_folder(const std::filesystem::path& libexec);

// Returns PREFIX of a folder of packages; empty for an empty path.
inline std::filesystem::path prefix_of(const std::filesystem::path& packages) {
  return packages.parent_path().parent_path().parent_path();
}

}  // namespace assay::backend
