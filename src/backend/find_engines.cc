// Places are searched in the order of how specific they are to the user's problem: first what the user names, then the
// Python environment, whose library is likely the one that fails, and last the library that came with Assay.
#include "backend/find_engines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>

#include "backend/find_python_packages.h"
#include "base/files.h"
#include "base/strings.h"

namespace assay::backend {
namespace {

namespace fs = std::filesystem;

// Returns the version in a library's name, such as "1.31.1" of libonnxruntime.so.1.31.1, also if only the target of a
// link has it. OpenVINO's wheels abbreviate 2026.4.1 to 2641.
std::string version_of(const fs::path& library, std::string_view file) {
  std::error_code code;
  for (const fs::path& path : {library, fs::canonical(library, code)}) {
    const std::string name = path.filename().string();
    if (name.size() <= file.size() + 1 || !name.starts_with(file)) continue;
    std::string version = name.substr(file.size() + 1);
    const bool short_form =
        version.size() == 4 && std::ranges::all_of(version, [](unsigned char c) { return std::isdigit(c) != 0; });
    return short_form ? fmt::format("20{}.{}.{}", version.substr(0, 2), version[2], version[3]) : version;
  }
  return {};
}

// Returns a key for comparisons: whether the version is of the wanted major one, and its numbers.
std::tuple<bool, int, int, int> version_key(const fs::path& library, const LibrarySearch& wanted) {
  int major = 0;
  int minor = 0;
  int patch = 0;
  std::sscanf(version_of(library, wanted.file).c_str(), "%d.%d.%d", &major, &minor, &patch);
  return {wanted.major != 0 && major == wanted.major, major, minor, patch};
}

// Returns `path` itself if it is a file, or the newest library in it if it is a folder. If the engine wants a major
// version, the newest of that version comes first.
std::optional<fs::path> library_at(const fs::path& path, const LibrarySearch& wanted) {
  std::error_code code;
  if (fs::is_regular_file(path, code)) return fs::absolute(path, code);
  std::optional<fs::path> best;
  for (const fs::path& entry : base::list_folder(path).value_or(std::vector<fs::path>{})) {
    if (!entry.filename().string().starts_with(wanted.file) || !fs::is_regular_file(entry, code)) continue;
    if (!best || version_key(*best, wanted) < version_key(entry, wanted)) best = fs::absolute(entry, code);
  }
  return best;
}

// A place to search.
struct SearchPlace {
  fs::path path;  // a library or a folder
  std::string how;
  bool only = false;  // the user has named it, so other places mustn't replace it
};

std::vector<SearchPlace> places(const EngineRow& row, const EngineSearch& search) {
  std::vector<SearchPlace> places;
  std::set<fs::path> known;  // lib64 of a virtual environment is a link to lib, and its python3 may be in PATH, too
  const auto add = [&](const fs::path& path, std::string how, bool only = false) {
    std::error_code code;
    const fs::path real = fs::weakly_canonical(path, code);
    if (path.empty() || !known.insert(code ? path : real).second) return;
    places.push_back({path, std::move(how), only});
  };
  const auto at = search.libraries.find(row.kind);
  const EngineSearch::Places named = at == search.libraries.end() ? EngineSearch::Places{} : at->second;
  add(named.option, std::string(row.library_setting().flags), true);
  add(named.variable, std::string(row.library.variable), true);
  for (const PythonPackages& packages : find_python_packages(search.virtual_env, search.path, search.home)) {
    add(packages.folder / row.library.package, fmt::format("the Python package of {}", packages.python));
  }
  if (!row.library.folders.empty()) {
    for (const fs::path& folder : search.library_path) add(folder, "LD_LIBRARY_PATH");
    for (const std::string_view folder : row.library.folders) add(folder, "the system");
  }
  add(named.fetched, "the one that came with Assay");
  return places;
}

// Returns the commands that install an engine's package. Assay's own package has an extra for each engine.
std::string how_to_install(const EngineRow& row, const EngineSearch& search) {
  const std::string pip = fmt::format("pip install {}", row.library.pip);
  const auto at = search.libraries.find(row.kind);
  const bool is_package = at != search.libraries.end() && at->second.fetched.string().ends_with(row.library.package);
  return is_package ? fmt::format("pip install 'assay-onnx[{}]', or {}", row.kind, pip) : pip;
}

FoundEngine found_engine(const EngineRow& row, const fs::path& library, const SearchPlace& place) {
  return {std::string(row.kind), library, version_of(library, row.library.file), place.how};
}

std::optional<fs::path> python_in(const fs::path& folder, const fs::path& name) {
  std::error_code code;
  const fs::path python = folder / name;
  if (folder.empty() || !fs::is_regular_file(python, code)) return std::nullopt;
  return python;
}

}  // namespace

std::vector<FoundEngine> find_engines(const EngineSearch& search) {
  std::vector<FoundEngine> found;
  for (const EngineRow& row : engine_rows()) {
    if (row.library.file.empty()) continue;
    for (const SearchPlace& place : places(row, search)) {
      const auto library = library_at(place.path, row.library);
      if (!library) continue;
      const bool known = std::ranges::find(found, *library, &FoundEngine::library) != found.end();
      if (!known) found.push_back(found_engine(row, *library, place));
    }
  }
  return found;
}

base::Expected<FoundEngine> find_library(const EngineRow& row, const EngineSearch& search) {
  std::vector<std::string> looked_at;
  for (const SearchPlace& place : places(row, search)) {
    if (const auto library = library_at(place.path, row.library)) return found_engine(row, *library, place);
    if (place.only) {
      return base::fail(base::ErrorKind::not_found, fmt::format("there is no {} at {}", row.name, place.path.string()),
                        place.how,
                        fmt::format("Give the path of a {}, or of the folder that holds it", row.library.file));
    }
    looked_at.push_back(fmt::format("{} ({})", place.path.string(), place.how));
  }
  if (std::ranges::none_of(search.path,
                           [](const fs::path& folder) { return python_in(folder, "python3").has_value(); })) {
    looked_at.emplace_back("a Python package (there is no python3 in PATH)");
  }
  return base::fail(base::ErrorKind::not_found,
                    fmt::format("{} was not found on this machine; searched {}", row.name, fmt::join(looked_at, ", ")),
                    {},
                    fmt::format("Install the Python package {} ({}), or name a library with {} or {}", row.library.pip,
                                how_to_install(row, search), row.library_setting().flags, row.library.variable));
}

base::Expected<fs::path> find_python(const fs::path& named, const EngineSearch& search) {
  constexpr const char* kOption = "--python-interpreter";
  std::error_code code;
  if (named.has_parent_path()) {
    if (fs::is_regular_file(named, code)) return fs::absolute(named, code);
    return base::fail(base::ErrorKind::not_found, fmt::format("there is no interpreter {}", named.string()), kOption,
                      "Check the path");
  }
  if (named.empty() && !search.virtual_env.empty()) {
    if (const auto python = python_in(search.virtual_env / "bin", "python3")) return *python;
  }
  const fs::path name = named.empty() ? fs::path("python3") : named;
  for (const fs::path& folder : search.path) {
    if (const auto python = python_in(folder, name)) return fs::absolute(*python, code);
  }
  return base::fail(base::ErrorKind::not_found, fmt::format("there is no {} in PATH", name.string()), kOption,
                    "Install Python 3, or name an interpreter with --python-interpreter");
}

bool has_worker(const EngineRow& row, const EngineSearch& search) {
  std::error_code code;
  return search.workers.empty() || fs::exists(search.workers / fmt::format("assay-worker-{}", row.kind), code);
}

base::Expected<fs::path> find_engine(const EngineRow& row, const std::string& named, const EngineSearch& search) {
  if (!row.worker_needs.empty() && !has_worker(row, search)) {
    return base::fail(
        base::ErrorKind::unsupported, fmt::format("this build of Assay has no worker for {}", row.name), {},
        fmt::format("CMake builds this worker only if it finds {} (docs/{}.md)", row.worker_needs, row.kind));
  }
  if (row.library.file.empty()) return find_python(named, search);
  EngineSearch with_option = search;
  with_option.libraries[std::string(row.kind)].option = named;
  ASSAY_ASSIGN(const FoundEngine found, find_library(row, with_option));
  return found.library;
}

worker::EngineSpec make_engine_spec(const EngineRow& row, fs::path library,
                                    std::map<std::string, std::string> options) {
  if (!row.fixed_value.empty()) options.emplace(row.value_key, row.fixed_value);
  return {.kind = std::string(row.kind),
          .library = std::move(library),
          .options = std::move(options),
          .opens_by_name = row.opens_by_name};
}

}  // namespace assay::backend
