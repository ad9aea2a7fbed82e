// Finds files of the checkout and of the build, and models, for tests.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace assay::test {

// The checkout.
std::filesystem::path source_dir();

// CMake's build folder.
std::filesystem::path build_dir();

// The workers of the build.
inline std::filesystem::path workers_dir() {
  return build_dir() / "libexec" / "assay";
}

// Programs and libraries that misbehave on demand.
inline std::filesystem::path fakes_dir() {
  return build_dir() / "tests" / "fakes";
}

// Returns the path of one of them: fake("assay-worker-fake").
inline std::string fake(const std::string& name) {
  return fakes_dir() / name;
}

// Returns the folder of small models in this repository; see tests/models/README.md.
inline std::filesystem::path models_dir() {
  return source_dir() / "tests" / "models";
}

// Returns an optional folder of larger models and cases: $ASSAY_SHARED_DIR, or "shared" next to the checkout or its
// parent. Tests that need it skip without it: if (!shared_dir()) GTEST_SKIP() << kNoSharedDir;
inline constexpr const char* kNoSharedDir = "no folder with shared models (ASSAY_SHARED_DIR)";
inline std::optional<std::filesystem::path> shared_dir() {
  std::vector<std::filesystem::path> places = {source_dir() / ".." / "shared", source_dir() / ".." / ".." / "shared"};
  if (const char* set = std::getenv("ASSAY_SHARED_DIR"); set != nullptr && *set != '\0') places = {set};
  for (const std::filesystem::path& place : places) {
    std::error_code code;
    const auto path = std::filesystem::canonical(place, code);
    if (!code && std::filesystem::is_directory(path / "models", code)) return path;
  }
  return std::nullopt;
}

// Returns the backend test models of the onnx package, written by tests/support/make_backend_models.py: in
// $ASSAY_ONNX_BACKEND_TESTS, or the folder passed to CMake.
inline constexpr const char* kNoBackendTests = "no backend tests of the onnx package (ASSAY_ONNX_BACKEND_TESTS)";
std::optional<std::filesystem::path> onnx_backend_tests();

// Returns all .onnx files below a folder, at any depth, sorted.
inline std::vector<std::filesystem::path> onnx_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".onnx" && entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace assay::test
