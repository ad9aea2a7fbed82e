#include "backend/search_environment.h"

#include <cstdlib>
#include <string>
#include <system_error>

#include "backend/find_python_packages.h"
#include "base/strings.h"

namespace assay::backend {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

}  // namespace

EngineSearch search_environment(const fs::path& libexec) {
  EngineSearch search;
  const fs::path packages = package_folder(libexec);
  for (const EngineRow& row : engine_rows()) {
    if (row.library.file.empty()) continue;
    EngineSearch::Places& places = search.libraries[std::string(row.kind)];
    places.fetched = packages.empty() ? libexec / row.kind : packages / row.library.package;
    places.variable = variable(std::string(row.library.variable).c_str());
  }
  search.virtual_env = variable("VIRTUAL_ENV");
  // A prefix without an interpreter, such as ~/.local, is searched with the interpreter of PATH.
  std::error_code code;
  if (search.virtual_env.empty() && fs::exists(prefix_of(packages) / "bin" / "python3", code)) {
    search.virtual_env = prefix_of(packages);
  }
  search.home = variable("HOME");
  for (const std::string& folder : base::split(variable("PATH"), ':')) {
    if (!folder.empty()) search.path.emplace_back(folder);
  }
  for (const std::string& folder : base::split(variable("LD_LIBRARY_PATH"), ':')) {
    if (!folder.empty()) search.library_path.emplace_back(folder);
  }
  search.workers = libexec;
  return search;
}

}  // namespace assay::backend
