// Models as the cache of Hugging Face holds them: the files are in one folder, with hashes as names, and symbolic links
// in another folder lead to them.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>

namespace assay::test {

// Moves files of `folder` to a folder "blobs" next to it, and leaves links to them behind.
inline void move_to_blobs(const std::filesystem::path& folder, std::initializer_list<std::string> names) {
  std::filesystem::create_directories(folder / "../blobs");
  int number = 0;
  for (const std::string& name : names) {
    const std::filesystem::path blob = "../blobs/" + std::to_string(number++) + "f00d";
    std::filesystem::rename(folder / name, folder / blob);
    std::filesystem::create_symlink(blob, folder / name);
  }
}

}  // namespace assay::test
