#include "report/loaded_files.h"

#include <system_error>

#include "base/strings.h"
#include "report/program_engines.h"

namespace assay::report {
namespace fs = std::filesystem;

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
      names.push_back(fs::path(path).filename().string());
      std::error_code code;
      fs::copy_file(path, folder / names.back(), code);
      if (code) return base::fail(base::system_error("cannot copy to the folder for a bug report", path, code.value()));
    }
    if (!names.empty()) options[std::string(setting.key)] = base::join(names, ",");
  }
  return {};
}

}  // namespace assay::report
