#include "report/loaded_files.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/strings.h"
#include "report/program_engines.h"

namespace assay::report {
namespace fs = std::filesystem;

namespace {

// Returns the name, or with a number before it if the folder has a file of that name.
std::string free_name(const fs::path& folder, const std::string& name) {
  std::string free = name;
  for (int number = 2; base::exists(folder / free); ++number) free = fmt::format("{}_{}", number, name);
  return free;
}

}  // namespace

bool is_searched_by_loader(const fs::path& library) {
  return !library.has_parent_path() && !base::exists(library);
}

base::Expected<std::vector<LoadedFile>> copy_loaded_files(ReproInput& input, const fs::path& folder) {
  std::vector<LoadedFile> files;
  Options& options = input.engine.options;
  for (const backend::EngineSetting& setting : engine_of(input).row.settings) {
    if (!setting.files) continue;
    std::vector<std::string> names;
    for (const std::string& path : words_of(setting, options)) {
      const bool is_copied = !is_searched_by_loader(path);
      names.push_back(is_copied ? free_name(folder, fs::path(path).filename().string()) : path);
      if (is_copied) ASSAY_TRY(base::copy_file(path, folder / names.back()));
      files.push_back({names.back(), std::string(setting.constant_comment), is_copied});
    }
    if (!names.empty()) options[std::string(setting.key)] = base::join(names, ",");
  }
  return files;
}

}  // namespace assay::report
