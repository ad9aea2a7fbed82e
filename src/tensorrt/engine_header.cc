// NVIDIA's trtexec reads the version in the same way (--getPlanVersionOnly).
#include "tensorrt/engine_header.h"

#include <cstddef>

namespace assay::tensorrt {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kTag = "ftrt";
constexpr std::string_view kTagAndForm = "ftrt\0\0\0\0"sv;  // the only form whose version is known to be at kVersion
constexpr std::size_t kVersion = 24;                        // major, minor, patch and build, a byte each
constexpr std::size_t kSize = 28;

}  // namespace

bool is_engine(std::string_view bytes) {
  return bytes.starts_with(kTag);
}

std::optional<Version> version_that_built(std::string_view engine) {
  if (engine.size() < kSize || !engine.starts_with(kTagAndForm)) return std::nullopt;
  const auto number = [engine](std::size_t at) { return static_cast<int>(static_cast<unsigned char>(engine[at])); };
  const Version version = {number(kVersion), number(kVersion + 1), number(kVersion + 2)};
  return version.major == 0 ? std::nullopt : std::optional(version);
}

}  // namespace assay::tensorrt
