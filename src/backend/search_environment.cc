#include "backend/search_environment.h"

#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#include "base/strings.h"

namespace assay::backend {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

// Returns the library that set-up downloaded for this build. The build lists them as "KIND=PATH|KIND=PATH".
std::string fetched_library(std::string_view kind) {
  for (const std::string& entry : base::split(ASSAY_FETCHED_LIBRARIES, '|')) {
    if (entry.starts_with(std::string(kind) + "=")) return entry.substr(kind.size() + 1);
  }
  return {};
}

}  // namespace

EngineSearch search_environment(const fs::path& libexec) {
  EngineSearch search;
  std::error_code code;
  for (const EngineRow& row : engine_rows()) {
    if (row.library.file.empty()) continue;
    EngineSearch::Places& places = search.libraries[std::string(row.kind)];
    const fs::path installed = libexec / row.kind;
    places.fetched = fs::is_directory(installed, code) ? installed : fs::path(fetched_library(row.kind));
    places.variable = variable(std::string(row.library.variable).c_str());
  }
  search.virtual_env = variable("VIRTUAL_ENV");
  search.home = variable("HOME");
  for (const std::string& folder : base::split(variable("PATH"), ':')) {
    if (!folder.empty()) search.path.emplace_back(folder);
  }
  return search;
}

}  // namespace assay::backend
