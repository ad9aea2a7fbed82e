#include "report/loaded_files.h"

#include <fmt/format.h>

#include <system_error>

#include "base/files.h"
#include "base/strings.h"
#include "report/program_engines.h"

namespace assay::report {
namespace fs = std::filesystem;

namespace {

// Returns the name, or with a number before it if the folder has a file of that name.
std::string free_name(const fs::path& folder, const std::string& name) {
  std::string free = name;
  std::error_code code;
  for (int number = 2; fs::exists(folder / free, code); ++number) free = fmt::format("{}_{}", number, name);
  return free;
}

}  // namespace

std::vector<LoadedFile> loaded_files(const ReproInput& input) {
  std::vector<LoadedFile> files;
  for (const backend::EngineSetting& setting : engine_of(input).row.settings) {
    if (!setting.files) continue;
    for (std::string& path : words_of(setting, input.engine.options)) {
      files.push_back({std::move(path), std::string(setting.constant_comment)});
    }
  }
  return files;
}

base::Status copy_loaded_files(ReproInput& input, const fs::path& folder) {
  Options& options = input.engine.options;
  for (const backend::EngineSetting& setting : engine_of(input).row.settings) {
    if (!setting.files) continue;
    std::vector<std::string> names;
    for (const std::string& path : words_of(setting, options)) {
      names.push_back(free_name(folder, fs::path(path).filename().string()));
      ASSAY_TRY(base::copy_file(path, folder / names.back()));
    }
    if (!names.empty()) options[std::string(setting.key)] = base::join(names, ",");
  }
  return {};
}

}  // namespace assay::report
