#include "bindings/installation.h"

#include <dlfcn.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include <mutex>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "backend/engine_table.h"
#include "backend/search_environment.h"
#include "base/absolute_path.h"
#include "base/files.h"
#include "base/strings.h"
#include "bindings/bindings.h"
#include "bindings/errors.h"
#include "bindings/gil.h"

namespace assay::python {
namespace {

namespace fs = std::filesystem;
namespace nb = nanobind;

// Returns the folder of the workers: in the installed package, or next to the folder python/ of a build.
fs::path find_libexec() {
  Dl_info self = {};
  dladdr(reinterpret_cast<const void*>(&find_libexec), &self);
  const fs::path package = fs::absolute(self.dli_fname == nullptr ? "." : self.dli_fname).parent_path();
  std::error_code code;
  const fs::path installed = package / "libexec" / "assay";
  return fs::is_directory(installed, code) ? installed : package.parent_path().parent_path() / "libexec" / "assay";
}

// Returns the kind, the version and the path of each engine.
std::vector<std::tuple<std::string, std::string, std::string>> list_engines() {
  std::vector<std::tuple<std::string, std::string, std::string>> listed;
  for (const backend::FoundEngine& engine : backend::find_engines(installation().engines)) {
    listed.emplace_back(engine.kind, engine.version, engine.library.string());
  }
  return listed;
}

}  // namespace

Installation::Installation(fs::path libexec_folder, backend::EngineSearch search)
    : libexec(std::move(libexec_folder)),
      engines(std::move(search)),
      pool({.worker_dir = libexec, .max_idle = 4}, stop) {}

backend::EngineSearch search_environment_now() {
  backend::EngineSearch search = backend::search_environment(find_libexec());
  search.virtual_env = nb::cast<std::string>(nb::module_::import_("sys").attr("prefix"));
  return search;
}

Installation& installation() {
  static std::mutex mutex;
  static Installation* current = nullptr;
  static pid_t owner = 0;
  const GilRelease release;  // the holder of the mutex may wait for the GIL
  const std::lock_guard lock(mutex);
  if (owner != getpid()) {
    const GilAcquire gil;
    current = new Installation(find_libexec(), search_environment_now());  // NOLINT(cppcoreguidelines-owning-memory)
    owner = getpid();
  }
  return *current;
}

const backend::EngineRow& engine_row(const std::string& runner) {
  std::string known;
  for (const backend::EngineRow& row : backend::engine_rows()) {
    if (row.runner == runner) return row;
    known += (known.empty() ? "" : ", ") + std::string(row.runner);
  }
  raise({base::ErrorKind::invalid_input, "there is no engine '" + runner + "'", {}, "The engines are " + known});
}

fs::path engine_library(const backend::EngineRow& row, const std::string& named) {
  auto found = backend::find_engine(row, named, installation().engines);
  // To a program, an engine without a worker is as missing as one without a library.
  if (!found && found.error().kind == base::ErrorKind::unsupported) found.error().kind = base::ErrorKind::not_found;
  return unwrap(std::move(found));
}

std::map<std::string, std::string> with_absolute_paths(const backend::EngineRow& row,
                                                       std::map<std::string, std::string> options) {
  for (const backend::EngineSetting& setting : row.settings) {
    const auto option = options.find(std::string(setting.key));
    if (!setting.files || option == options.end()) continue;
    std::vector<std::string> files = base::split(option->second, ',');
    for (std::string& file : files) {
      const fs::path path(base::trim(file));
      if (base::exists(path)) file = base::absolute_path(path).string();
    }
    option->second = base::join(files, ",");
  }
  return options;
}

void bind_installation(nb::module_& module) {
  module.attr("__version__") = ASSAY_VERSION;
  module.def("engines", &list_engines,
             "Returns the kind, the version and the path of each engine, preferred ones first.");
  module.def(
      "check_engine", [](const std::string& runner) { engine_row(runner); },
      "Raises InputError if no engine has this runner.");
  module.def(
      "libexec", [] { return installation().libexec; }, "Returns the folder of the workers.");
}

}  // namespace assay::python
