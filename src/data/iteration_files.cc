#include "data/iteration_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace assay::data {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;

std::string iteration_file_name(std::int64_t iteration) {
  return fmt::format("{:010}.json", iteration);
}

base::Expected<std::vector<fs::path>> iteration_files(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    return fail(ErrorKind::not_found, "there is no such file or folder", path.string(), "check the path");
  }
  if (!fs::is_directory(status)) return std::vector{path};
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path extension = entry->path().extension();
    if ((extension == ".json" || extension == ".npz") && !entry->is_directory(error)) files.push_back(entry->path());
  }
  if (error) return fail(base::system_error("cannot list the folder", path.string(), error.value()));
  std::ranges::sort(files);
  return files;
}

base::Status prepare_folder(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_directory(status)) {
    return fail(ErrorKind::invalid_input, "a path without an extension is a folder, but a file is there", path.string(),
                "give a path with the extension .json for a single file, or another folder");
  }
  fs::create_directories(path, error);
  if (error) return fail(base::system_error("cannot make the folder", path.string(), error.value()));
  const bool empty = fs::is_empty(path, error);
  if (error) return fail(base::system_error("cannot list the folder", path.string(), error.value()));
  if (empty) return {};
  return fail(ErrorKind::invalid_input, "the folder to save iterations in is not empty", path.string(),
              "give a new folder, or empty this one");
}

}  // namespace assay::data
