#include "backend/find_engines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <tuple>

#include "backend/find_python_packages.h"
#include "base/strings.h"

namespace assay::backend {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLibrary = "libonnxruntime.so";
constexpr const char* kHowToGet =
    "Install the Python package onnxruntime (pip install onnxruntime), or name a library with --onnxrt-lib or "
    "ASSAY_ONNXRUNTIME_LIB";

// "1.31.1" of libonnxruntime.so.1.31.1, also where that name is only behind a link.
std::string version_of(const fs::path& library) {
  std::error_code code;
  for (const fs::path& path : {library, fs::canonical(library, code)}) {
    const std::string name = path.filename().string();
    if (name.size() > kLibrary.size() + 1 && name.starts_with(kLibrary)) return name.substr(kLibrary.size() + 1);
  }
  return {};
}

// Numbers of a version, to compare.
std::tuple<int, int, int> version_key(const fs::path& library) {
  int major = 0;
  int minor = 0;
  int patch = 0;
  std::sscanf(version_of(library).c_str(), "%d.%d.%d", &major, &minor, &patch);
  return {major, minor, patch};
}

// `path` itself where it is a file, else the newest library in it where it is a folder.
std::optional<fs::path> library_at(const fs::path& path) {
  std::error_code code;
  if (fs::is_regular_file(path, code)) return fs::absolute(path, code);
  std::optional<fs::path> best;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, code)) {
    if (!entry.path().filename().string().starts_with(kLibrary) || !fs::is_regular_file(entry.path(), code)) continue;
    if (!best || version_key(*best) < version_key(entry.path())) best = fs::absolute(entry.path(), code);
  }
  return best;
}

// A place to look at.
struct Place {
  fs::path path;  // a library or a folder
  std::string how;
  bool only = false;  // the user has named it: if it is not there, nothing else is wanted
};

std::vector<Place> places(const EngineSearch& search) {
  std::vector<Place> places;
  const auto add = [&places](const fs::path& path, std::string how, bool only = false) {
    if (!path.empty()) places.push_back({path, std::move(how), only});
  };
  add(search.onnxruntime_option, "--onnxrt-lib", true);
  add(search.onnxruntime_variable, "ASSAY_ONNXRUNTIME_LIB", true);
  for (const PythonPackages& packages : find_python_packages(search.virtual_env, search.path, search.home)) {
    add(packages.folder / "onnxruntime" / "capi", fmt::format("the Python package of {}", packages.python));
  }
  add(search.onnxruntime_fetched, "the one that came with Assay");
  return places;
}

}  // namespace

std::vector<FoundEngine> find_engines(const EngineSearch& search) {
  std::vector<FoundEngine> found;
  for (const Place& place : places(search)) {
    const auto library = library_at(place.path);
    if (!library) continue;
    const bool known = std::ranges::find(found, *library, &FoundEngine::library) != found.end();
    if (!known) found.push_back({"onnxruntime", *library, version_of(*library), place.how});
  }
  return found;
}

base::Expected<FoundEngine> find_onnxruntime(const EngineSearch& search) {
  std::vector<std::string> looked_at;
  for (const Place& place : places(search)) {
    if (const auto library = library_at(place.path)) {
      return FoundEngine{"onnxruntime", *library, version_of(*library), place.how};
    }
    if (place.only) {
      return base::fail(base::ErrorKind::not_found, fmt::format("there is no ONNX Runtime at {}", place.path.string()),
                        place.how, "Give the path of a libonnxruntime.so, or of the folder that holds it");
    }
    looked_at.push_back(fmt::format("{} ({})", place.path.string(), place.how));
  }
  if (std::ranges::none_of(search.path, [](const fs::path& folder) {
        std::error_code code;
        return fs::exists(folder / "python3", code);
      })) {
    looked_at.emplace_back("a Python package (there is no python3 in PATH)");
  }
  return base::fail(base::ErrorKind::not_found,
                    fmt::format("there is no ONNX Runtime on this machine; looked at {}", fmt::join(looked_at, ", ")),
                    {}, kHowToGet);
}

}  // namespace assay::backend
