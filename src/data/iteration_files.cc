#include "data/iteration_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/read_error.h"
#include "data/number_in_name.h"
#include "data/onnx_data_set.h"

namespace assay::data {

namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;

std::string iteration_file_name(std::int64_t iteration) {
  return fmt::format("{:010}.json", iteration);
}

bool is_folder_form(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) ? fs::is_directory(status) : !path.has_extension();
}

namespace {

// Sorts files whose names are numbers, such as 9.npz and 10.npz, by these. Leaves others in the order of their names.
void sort_by_number(std::vector<fs::path>& files) {
  std::vector<std::pair<std::uint64_t, fs::path>> numbered;
  for (const fs::path& file : files) {
    const auto number = number_in_name(file.stem().string(), "", "");
    if (!number) return;
    numbered.emplace_back(*number, file);
  }
  std::ranges::sort(numbered);
  std::ranges::transform(numbered, files.begin(), &std::pair<std::uint64_t, fs::path>::second);
}

}  // namespace

base::Expected<std::vector<fs::path>> iteration_files(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    return fail(ErrorKind::not_found, "there is no such file or folder", path.string(), "Check the path");
  }
  if (!fs::is_directory(status) || is_data_set(path)) return std::vector{path};
  ASSAY_ASSIGN(std::vector<fs::path> files, base::list_folder(path));
  std::erase_if(files, [&](const fs::path& file) {
    return (file.extension() != ".json" && file.extension() != ".npz") || fs::is_directory(file, error);
  });
  sort_by_number(files);
  if (files.empty()) files = data_sets_in(path);
  if (files.empty()) {
    return fail(ErrorKind::invalid_input, "the folder has no .json or .npz files and no data sets of ONNX",
                path.string(), "Use a folder that --save-inputs or --save-outputs wrote");
  }
  return files;
}

bool is_npz(const fs::path& path) {
  if (path.extension() != ".npz") return false;
  const char first = static_cast<char>(std::ifstream(path, std::ios::binary).peek());
  return first != '{' && first != '[';
}

base::Status prepare_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return fail(base::system_error("cannot create the folder", path.string(), error.value()));
  const bool empty = fs::is_empty(path, error);
  if (error) return fail(base::read_error("cannot list the folder", path.string(), error.value()));
  if (empty) return {};
  return fail(ErrorKind::invalid_input, "the folder to save iterations in is not empty", path.string(),
              "Use a new folder, or empty this one");
}

}  // namespace assay::data
