// The only file of the tests that is compiled with the paths of the checkout and of the build, so that ccache finds the
// others in every checkout.
#include "tests/support/paths.h"

namespace assay::test {

std::filesystem::path source_dir() {
  return ASSAY_SOURCE_DIR;
}

std::filesystem::path build_dir() {
  return ASSAY_BINARY_DIR;
}

std::optional<std::filesystem::path> onnx_backend_tests() {
  const char* set = std::getenv("ASSAY_ONNX_BACKEND_TESTS");
  const std::filesystem::path path = set != nullptr ? set : ASSAY_ONNX_BACKEND_TESTS;
  std::error_code code;
  if (path.empty() || !std::filesystem::is_directory(path, code)) return std::nullopt;
  return path;
}

}  // namespace assay::test
